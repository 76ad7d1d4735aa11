# Tests of items.
daybook_test(tst_entrytablemodel SOURCES items/tst_entrytablemodel.cpp LINK daybook_items)
