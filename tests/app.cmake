# Tests of the programs as a whole.
add_library(daybook_test_support STATIC support/program.cpp support/program.h)
target_link_libraries(daybook_test_support PUBLIC daybook_options Qt6::Core)
target_compile_definitions(daybook_test_support PUBLIC
  DAYBOOK_PROGRAM_FOLDER="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
  DAYBOOK_FAKETIME="/usr/lib/${CMAKE_CXX_LIBRARY_ARCHITECTURE}/faketime/libfaketimeMT.so.1")

daybook_test(tst_cli SOURCES integration/tst_cli.cpp LINK daybook_test_support)
add_dependencies(tst_cli daybook-cli)
