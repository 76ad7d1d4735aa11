# Tests of server.
daybook_test(tst_options SOURCES server/tst_options.cpp LINK daybook_server_http)
daybook_test(tst_http SOURCES server/tst_http.cpp LINK daybook_server_http Qt6::Network)
daybook_test(tst_httpframing SOURCES server/tst_httpframing.cpp LINK daybook_server_http Qt6::Network)

add_library(daybook_service_fixture STATIC
  server/conversation.cpp server/conversation.h
  server/servicefixture.cpp server/servicefixture.h)
target_link_libraries(daybook_service_fixture PUBLIC daybook_server_core Qt6::Test)
foreach(name entries idempotency service)
  daybook_test(tst_${name} SOURCES server/tst_${name}.cpp LINK daybook_service_fixture)
endforeach()
daybook_test(tst_sessions SOURCES server/tst_sessions.cpp LINK daybook_service_fixture)
daybook_test(tst_storage SOURCES server/tst_storage.cpp LINK daybook_server_core)

# For tests that run the real program: LINK daybook_server_process, and include tests/support/serverprocess.h.
add_library(daybook_server_process INTERFACE)
target_compile_definitions(daybook_server_process INTERFACE DAYBOOK_SERVER_PROGRAM="$<TARGET_FILE:daybook-server>")
add_dependencies(daybook_server_process daybook-server)
daybook_test(tst_serverprogram SOURCES server/tst_serverprogram.cpp LINK daybook_server_process Qt6::Network)
