# Tests of items.
