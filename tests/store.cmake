# Tests of store.
daybook_test(tst_connection SOURCES store/tst_connection.cpp LINK daybook_store)
daybook_test(tst_accountrepository SOURCES store/tst_accountrepository.cpp LINK daybook_store)
daybook_test(tst_accountstore SOURCES store/tst_accountstore.cpp LINK daybook_store daybook_protocol)
daybook_test(tst_intentplan SOURCES store/tst_intentplan.cpp LINK daybook_store)
daybook_test(tst_syncjournal SOURCES store/tst_syncjournal.cpp LINK daybook_store)
daybook_test(tst_entrylist SOURCES store/tst_entrylist.cpp LINK daybook_store)
daybook_test(tst_operationqueue SOURCES store/tst_operationqueue.cpp LINK daybook_store)
