# The program. It links the static libraries, so that one file is all it takes;
# it finds the scenes relative to itself, in the build folder and installed.
file(GLOB program_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/rill/*.c)
if(NOT program_sources OR NOT TARGET rill_files_static)
  message(STATUS "rill: no sources yet, left out")
  return()
endif()

add_executable(rill ${program_sources})
target_include_directories(rill PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/apps/rill)
target_link_libraries(rill PRIVATE rill_files_static)
set_target_properties(rill PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
