# Tests of client.
daybook_test(tst_syncphase SOURCES client/tst_syncphase.cpp LINK daybook_client)
daybook_test(tst_networkrequest SOURCES client/tst_networkrequest.cpp LINK daybook_client Qt6::Network)
