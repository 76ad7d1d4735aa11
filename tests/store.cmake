# Tests of store.
