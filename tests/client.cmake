# Tests of client.
daybook_test(tst_syncphase SOURCES client/tst_syncphase.cpp LINK daybook_client)
daybook_test(tst_networkrequest SOURCES client/tst_networkrequest.cpp LINK daybook_client Qt6::Network)
daybook_test(tst_resultclassifier SOURCES client/tst_resultclassifier.cpp LINK daybook_client daybook_protocol)
daybook_test(tst_retrypolicy SOURCES client/tst_retrypolicy.cpp LINK daybook_client)
daybook_test(tst_syncworker SOURCES client/tst_syncworker.cpp LINK daybook_client daybook_store daybook_protocol)
daybook_test(tst_syncworkertime SOURCES client/tst_syncworkertime.cpp LINK daybook_client daybook_store daybook_protocol)
daybook_test(tst_syncservice SOURCES client/tst_syncservice.cpp LINK daybook_client daybook_store Qt6::Network)
