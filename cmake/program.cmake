# The programs. They link the static libraries, so that one file is all each takes;
# rill finds the scenes and rill-bench relative to itself, in the build folder and
# installed. rill sees public headers alone; rill-bench, which `rill bench` becomes,
# looks inside the library. What both share (options, sentences) is rill_tools.
file(GLOB tools_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/rill/*.c)
list(REMOVE_ITEM tools_sources ${PROJECT_SOURCE_DIR}/apps/rill/main.c)
file(GLOB validate_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/validate/*.c)
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/bench/*.c)

# Loops that calibrate the machine are compiled like those of the engine.
file(GLOB bench_wide_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/bench/wide/*.c)
foreach(variant IN LISTS RILL_VARIANTS)
  rill_variant_objects(rill_bench_${variant} ${variant} ${bench_wide_sources})
  list(APPEND bench_sources $<TARGET_OBJECTS:rill_bench_${variant}>)
endforeach()

add_library(rill_tools STATIC ${tools_sources})
target_include_directories(rill_tools PUBLIC ${PROJECT_SOURCE_DIR}/apps ${PROJECT_SOURCE_DIR}/apps/rill)
target_link_libraries(rill_tools PUBLIC rill_render_static)

add_executable(rill ${PROJECT_SOURCE_DIR}/apps/rill/main.c ${validate_sources})
target_link_libraries(rill PRIVATE rill_tools)
add_executable(rill-bench ${bench_sources})
target_include_directories(rill-bench PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(rill-bench PRIVATE rill_tools)
set_target_properties(rill rill-bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
