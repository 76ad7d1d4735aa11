# Tests of verify.
daybook_test(tst_audit SOURCES store/tst_audit.cpp LINK daybook_store daybook_protocol)
