# librill: the engine. Needs libc, libm and POSIX threads, nothing else. The objects
# are compiled once and go into both the static and the shared library.
rill_sources(core_sources text base run geom fluid physics world format)
if(NOT core_sources)
  message(STATUS "librill: no sources yet, left out")
  return()
endif()

set(wide_sources ${core_sources})
list(FILTER wide_sources INCLUDE REGEX
       "/src/(fluid/wide|physics/solver|physics/force|physics/boundary/wide)/[^/]*\\.c$")
if(wide_sources)
  list(REMOVE_ITEM core_sources ${wide_sources})
endif()

# An object library with the settings all of librill shares.
function(rill_core_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${name} PRIVATE ${RILL_VARIANT_DEFINITIONS})
endfunction()

# The same compiled for one variant of the inner loops.
function(rill_variant_objects name variant)
  rill_core_objects(${name} ${ARGN})
  target_compile_definitions(${name} PRIVATE RILL_WIDTH=${RILL_VARIANT_${variant}_WIDTH} RILL_VARIANT=${variant})
  target_compile_options(${name} PRIVATE ${RILL_VARIANT_${variant}_FLAGS})
endfunction()

set(core_objects)
if(core_sources)
  rill_core_objects(rill_core ${core_sources})
  target_compile_options(rill_core PRIVATE ${RILL_FUSES_NOTHING})
  list(APPEND core_objects $<TARGET_OBJECTS:rill_core>)
endif()
if(wide_sources)
  foreach(variant IN LISTS RILL_VARIANTS)
    rill_variant_objects(rill_variant_${variant} ${variant} ${wide_sources})
    list(APPEND core_objects $<TARGET_OBJECTS:rill_variant_${variant}>)
  endforeach()
endif()

foreach(kind IN ITEMS static shared)
  string(TOUPPER ${kind} type)
  add_library(rill_${kind} ${type} ${core_objects})
  set_target_properties(rill_${kind} PROPERTIES OUTPUT_NAME rill LINKER_LANGUAGE C)
  target_include_directories(rill_${kind} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

# The build's own programs and tests link the static library, which shows them
# its internals too.
target_compile_definitions(rill_static INTERFACE "$<BUILD_INTERFACE:${RILL_VARIANT_DEFINITIONS}>")
target_link_libraries(rill_static PUBLIC m ${CMAKE_THREAD_LIBS_INIT})
target_link_libraries(rill_shared PRIVATE m ${CMAKE_THREAD_LIBS_INIT})
set_target_properties(rill_shared PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
