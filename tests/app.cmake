# The programs as a whole: the real command line, app and server as child processes.
add_library(daybook_programs STATIC
  integration/signedin.cpp integration/signedin.h
  support/program.cpp support/program.h)
target_link_libraries(daybook_programs PUBLIC daybook_server_process daybook_options Qt6::Core PRIVATE Qt6::Sql)
target_compile_definitions(daybook_programs PUBLIC
  DAYBOOK_PROGRAM_FOLDER="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
  DAYBOOK_FAKETIME="/usr/lib/${CMAKE_CXX_LIBRARY_ARCHITECTURE}/faketime/libfaketimeMT.so.1")
add_dependencies(daybook_programs daybook-cli)

daybook_test(tst_cli SOURCES integration/tst_cli.cpp LINK daybook_programs daybook_profile)
daybook_test(tst_sync SOURCES integration/tst_sync.cpp LINK daybook_programs)
daybook_test(tst_crash SOURCES integration/tst_crash.cpp LINK daybook_programs daybook_domain)
daybook_test(tst_kill SOURCES integration/tst_kill.cpp LINK daybook_programs TIMEOUT 400)
add_dependencies(tst_kill daybook)
daybook_test(tst_app SOURCES integration/tst_app.cpp LINK daybook_programs Qt6::Gui)
add_dependencies(tst_app daybook)

daybook_test(tst_credentialstore SOURCES app/tst_credentialstore.cpp LINK daybook_profile)
