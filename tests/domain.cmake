# Tests of domain.
