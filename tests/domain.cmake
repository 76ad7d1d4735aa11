# Tests of models/domain.
foreach(name decimalvalue recordedat operation syncstate merge text)
  daybook_test(tst_${name} SOURCES domain/tst_${name}.cpp LINK daybook_domain)
endforeach()
