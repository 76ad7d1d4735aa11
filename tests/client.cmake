# Tests of client.
daybook_test(tst_syncphase SOURCES client/tst_syncphase.cpp LINK daybook_client)
