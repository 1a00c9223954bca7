# librill_files: scene text, run folders, export and pictures, on top of librill.
rill_sources(files_sources format scene frame surface render agent)
if(NOT files_sources OR NOT TARGET rill_static)
  message(STATUS "librill_files: no sources yet, left out")
  return()
endif()

pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
# OpenEXR is C++ but for one library, whose C interface is all that is used here.
pkg_check_modules(OPENEXR REQUIRED OpenEXR)
set(exr_library ${OPENEXR_LIBRARIES})
list(FILTER exr_library INCLUDE REGEX "OpenEXRCore")
# Embree comes without a pkg-config file.
find_path(EMBREE_INCLUDE embree3/rtcore.h REQUIRED)
find_library(EMBREE_LIBRARY embree3 REQUIRED)
set(embree $<BUILD_INTERFACE:${EMBREE_LIBRARY}> $<INSTALL_INTERFACE:embree3>)
set(files_dependencies PkgConfig::YAML PkgConfig::PNG PkgConfig::ZLIB ${exr_library} ${embree})

# Sums over rows of eight nodes are compiled once per variant of up to eight lanes.
set(files_wide_sources ${files_sources})
list(FILTER files_wide_sources INCLUDE REGEX "/src/surface/wide/[^/]*\\.c$")
if(files_wide_sources)
  list(REMOVE_ITEM files_sources ${files_wide_sources})
endif()

add_library(rill_files_objects OBJECT ${files_sources})
target_include_directories(rill_files_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_include_directories(rill_files_objects SYSTEM PRIVATE ${OPENEXR_INCLUDE_DIRS} ${EMBREE_INCLUDE})
target_compile_definitions(rill_files_objects PRIVATE ${RILL_VARIANT_DEFINITIONS})
target_link_libraries(rill_files_objects PRIVATE ${files_dependencies})
set(files_objects $<TARGET_OBJECTS:rill_files_objects>)
foreach(variant IN LISTS RILL_VARIANTS)
  if(files_wide_sources AND RILL_VARIANT_${variant}_WIDTH LESS_EQUAL 8)
    rill_variant_objects(rill_files_variant_${variant} ${variant} ${files_wide_sources})
    list(APPEND files_objects $<TARGET_OBJECTS:rill_files_variant_${variant}>)
  endif()
endforeach()

add_library(rill_files_static STATIC ${files_objects})
target_link_libraries(rill_files_static PUBLIC rill_static PRIVATE ${files_dependencies})

# The shared library takes the public functions from librill.so. The few
# internal helpers it shares with the engine are not exported there, so it
# takes its own hidden copy of those from the static one.
add_library(rill_files_shared SHARED ${files_objects})
target_link_libraries(rill_files_shared PUBLIC rill_shared PRIVATE $<BUILD_INTERFACE:rill_static> ${files_dependencies})
target_link_options(rill_files_shared PRIVATE LINKER:--exclude-libs,librill.a)
set_target_properties(rill_files_shared PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(rill_files_static rill_files_shared PROPERTIES OUTPUT_NAME rill_files LINKER_LANGUAGE C)
