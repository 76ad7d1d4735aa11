# Tests of sync/protocol.
foreach(name fingerprint jsonreader messages problem)
  daybook_test(tst_${name} SOURCES protocol/tst_${name}.cpp LINK daybook_protocol)
endforeach()

find_package(rapidcheck REQUIRED)
daybook_test(tst_protocolproperties SOURCES protocol/tst_protocolproperties.cpp LINK daybook_protocol rapidcheck)
set_property(TEST tst_protocolproperties APPEND PROPERTY ENVIRONMENT "RC_PARAMS=max_success=1000")
