# The programs of `make torture`: every tests/torture/targets/fuzz_*.c throws inputs
# at one reader, make_corpus writes what they start from, and every
# tests/torture/*.c is a section of its own. All are built with sanitizers.
if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
  message(FATAL_ERROR "RILL_FUZZ needs libFuzzer, which comes with clang; set CMAKE_C_COMPILER to clang.")
endif()
foreach(part IN LISTS RILL_PARTS)
  set_target_properties(rill_${part}_shared PROPERTIES EXCLUDE_FROM_ALL ON)
endforeach()
set_target_properties(rill_shared PROPERTIES EXCLUDE_FROM_ALL ON)

# What the program reads is attacked too: its parts but main, of which each target takes what it calls.
file(GLOB app_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/rill/*.c)
list(REMOVE_ITEM app_sources ${PROJECT_SOURCE_DIR}/apps/rill/main.c)
add_library(rill_app STATIC ${app_sources})
target_include_directories(rill_app PRIVATE ${PROJECT_SOURCE_DIR}/apps ${PROJECT_SOURCE_DIR}/apps/rill)
target_link_libraries(rill_app PUBLIC rill_render_static)

# A program of the torture with the library's insides in sight.
function(rill_torture name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/apps/rill)
  target_include_directories(${name} SYSTEM PRIVATE ${OPENEXR_INCLUDE_DIRS})
  target_link_libraries(${name} PRIVATE rill_app rill_render_static PkgConfig::ZLIB ${exr_library})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/torture)
endfunction()

file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/torture/targets/fuzz_*.c)
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  rill_torture(${name} ${source})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()

file(GLOB torture_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/torture/*.c)
list(FILTER torture_sources EXCLUDE REGEX "/physics\\.c$") # in cmake/tests.cmake
foreach(source IN LISTS torture_sources ITEMS ${PROJECT_SOURCE_DIR}/tests/torture/targets/make_corpus.c)
  get_filename_component(name ${source} NAME_WE)
  rill_torture(${name} ${source})
endforeach()
