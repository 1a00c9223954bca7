# The program. It links the static libraries, so that one file is all it takes;
# it finds the scenes relative to itself, in the build folder and installed.
# Benchmarks and validation are folders beside it, behind two of its commands.
file(GLOB program_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/rill/*.c
  ${PROJECT_SOURCE_DIR}/apps/bench/*.c ${PROJECT_SOURCE_DIR}/apps/validate/*.c)

# Loops that calibrate the machine are compiled like those of the engine.
file(GLOB program_wide_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/bench/wide/*.c)
foreach(variant IN LISTS RILL_VARIANTS)
  rill_variant_objects(rill_program_${variant} ${variant} ${program_wide_sources})
  list(APPEND program_sources $<TARGET_OBJECTS:rill_program_${variant}>)
endforeach()

add_executable(rill ${program_sources})
target_include_directories(rill PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
  ${PROJECT_SOURCE_DIR}/apps ${PROJECT_SOURCE_DIR}/apps/rill)
target_link_libraries(rill PRIVATE rill_render_static)
set_target_properties(rill PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
