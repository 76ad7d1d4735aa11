# Tests of store.
daybook_test(tst_connection SOURCES store/tst_connection.cpp LINK daybook_store)
