# Tests of ui.
daybook_test(tst_entryeditor SOURCES ui/tst_entryeditor.cpp LINK daybook_ui)
daybook_test(tst_factsbar SOURCES ui/tst_factsbar.cpp LINK daybook_ui)
daybook_test(tst_mainwindow SOURCES ui/tst_mainwindow.cpp LINK daybook_ui)
daybook_test(tst_quickentry SOURCES ui/tst_quickentry.cpp LINK daybook_ui)
daybook_test(tst_signindialog SOURCES ui/tst_signindialog.cpp LINK daybook_ui)
daybook_test(tst_syncbadge SOURCES ui/tst_syncbadge.cpp LINK daybook_ui daybook_protocol)
