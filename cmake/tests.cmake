# Every tests/test_*.c is one executable and one test; every tests/*.sh is one
# test. They run in the source folder and find the build through RILL_* in the
# environment. Exit code 77 means skipped.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
# rill writes and reads HDF5 by itself; the tests hold that against HDF5's own library. Debian names the serial one
# apart from the MPI ones; elsewhere it is plain hdf5.
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)

set(test_environment
  RILL_PROGRAM=${PROJECT_BINARY_DIR}/rill
  RILL_SCENES=${PROJECT_SOURCE_DIR}/scenes
  RILL_BUILD=${PROJECT_BINARY_DIR}
  RILL_CC=${CMAKE_C_COMPILER}
  RILL_SANITIZE=${RILL_SANITIZE})
if(RILL_SANITIZE)
  # ThreadSanitizer writes half a megabyte to a temporary file when a program starts, and dies
  # where a test limits the size of files; without such a folder it does without.
  list(APPEND test_environment RILL_SLOW_BUILD=1 UBSAN_OPTIONS=print_stacktrace=1 TEST_TMPDIR=/dev/null)
endif()

function(rill_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.c)
foreach(source IN LISTS test_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_link_libraries(${name} PRIVATE rill_render_static
    PkgConfig::CMOCKA PkgConfig::HDF5 PkgConfig::YAML PkgConfig::PNG m)
  rill_test(${name} ${name})

  # A test that says `label: small` near its top is short enough for Valgrind. One that says `label: one thread` leaves
  # nothing for ThreadSanitizer to find: it is linked with a pthread_create that ends it.
  file(STRINGS ${source} opening LIMIT_COUNT 10)
  set(labels)
  if(opening MATCHES "label: small")
    list(APPEND labels small)
  endif()
  if(opening MATCHES "label: (small, )?one thread")
    list(APPEND labels one_thread)
    if(NOT RILL_SANITIZE MATCHES "thread")
      target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/one_thread.c)
    endif()
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${test_sources})

# tests/test_added.c adds a force: its file, and one more line in a copy of the list of methods. The objects of the list
# come before those of the library, which then are not taken.
set(added ${PROJECT_BINARY_DIR}/added)
file(READ ${PROJECT_SOURCE_DIR}/src/physics/list.h methods)
file(CONFIGURE OUTPUT ${added}/physics/list.h CONTENT "${methods}FORCE(tether)\n" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/physics/list.h)
target_sources(test_added PRIVATE ${PROJECT_SOURCE_DIR}/src/physics/methods.c)
target_include_directories(test_added BEFORE PRIVATE ${added})
foreach(variant IN LISTS RILL_VARIANTS)
  rill_variant_objects(test_added_${variant} ${variant} ${PROJECT_SOURCE_DIR}/tests/added/tether.c)
  target_sources(test_added PRIVATE $<TARGET_OBJECTS:test_added_${variant}>)
endforeach()

file(GLOB test_scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.sh)
foreach(script IN LISTS test_scripts)
  get_filename_component(name ${script} NAME_WE)
  rill_test(${name} bash ${script})
endforeach()

# Preloaded by tests/torture/faults: allocations that fail.
if(NOT RILL_SANITIZE)
  add_library(failing_malloc MODULE ${PROJECT_SOURCE_DIR}/tests/torture/preload/failing_malloc.c)
  set_target_properties(failing_malloc PROPERTIES
    PREFIX "" C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(failing_malloc PRIVATE ${CMAKE_DL_LIBS})
endif()

# The physics of the torture is judged by numbers, not by sanitizers: the ordinary build gets through ten times the
# cases.
if(NOT RILL_SANITIZE)
  add_executable(torture_physics ${PROJECT_SOURCE_DIR}/tests/torture/physics.c)
  set_target_properties(torture_physics PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/torture OUTPUT_NAME physics)
  target_include_directories(torture_physics PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(torture_physics PRIVATE rill_render_static m)
endif()

# Every example is compiled as it stands and run in a folder of its own.
file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/[0-9]*.c)
foreach(source IN LISTS example_sources)
  get_filename_component(name ${source} NAME_WE)
  set(folder ${PROJECT_BINARY_DIR}/examples/${name})
  file(MAKE_DIRECTORY ${folder})
  add_executable(example_${name} ${source})
  set_target_properties(example_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder})
  target_include_directories(example_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(example_${name} PRIVATE rill_render_static Threads::Threads m)
  rill_test(example_${name} example_${name})
  set_tests_properties(example_${name} PROPERTIES WORKING_DIRECTORY ${folder})
endforeach()
