# The libraries beside librill, each of which can be linked without the others but for those it names:
#   librill_scene    scenes as text                            libyaml
#   librill_frames   run folders, frames, tables, export       librill_scene; zlib
#   librill_surface  surfaces, meshes and particles in files   zlib
#   librill_render   pictures                                  librill_frames, librill_surface; libpng, OpenEXR, Embree
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

# rill_part(NAME FOLDER [PARTS other parts] [NEEDS other libraries])
function(rill_part name folder)
  cmake_parse_arguments(part "" "" "PARTS;NEEDS" ${ARGN})
  rill_sources(sources ${folder})
  # Sums over rows of eight nodes are compiled once per variant of up to eight lanes.
  set(wide_sources ${sources})
  list(FILTER wide_sources INCLUDE REGEX "/src/${folder}/wide/[^/]*\\.c$")
  if(wide_sources)
    list(REMOVE_ITEM sources ${wide_sources})
  endif()

  rill_core_objects(rill_${name}_objects ${sources})
  target_link_libraries(rill_${name}_objects PRIVATE ${part_NEEDS})
  set(objects $<TARGET_OBJECTS:rill_${name}_objects>)
  foreach(variant IN LISTS RILL_VARIANTS)
    if(wide_sources AND RILL_VARIANT_${variant}_WIDTH LESS_EQUAL 8)
      rill_variant_objects(rill_${name}_variant_${variant} ${variant} ${wide_sources})
      list(APPEND objects $<TARGET_OBJECTS:rill_${name}_variant_${variant}>)
    endif()
  endforeach()

  set(static_parts ${part_PARTS})
  list(TRANSFORM static_parts REPLACE "(.+)" "rill_\\1_static")
  add_library(rill_${name}_static STATIC ${objects})
  target_link_libraries(rill_${name}_static PUBLIC ${static_parts} rill_static PRIVATE ${part_NEEDS})

  # The shared library takes the public functions from librill.so. The few
  # internal helpers it shares with the engine are not exported there, so it
  # takes its own hidden copy of those from the static one. librill.so is named
  # by its file, first: CMake would put it behind librill.a for some parts, and a
  # second copy of the allocator's hook would be an unset one.
  set(shared_parts ${part_PARTS})
  list(TRANSFORM shared_parts REPLACE "(.+)" "rill_\\1_shared")
  add_library(rill_${name}_shared SHARED ${objects})
  target_link_libraries(rill_${name}_shared PRIVATE $<BUILD_INTERFACE:$<TARGET_FILE:rill_shared>>)
  target_link_libraries(rill_${name}_shared
    PUBLIC ${shared_parts} rill_shared PRIVATE $<BUILD_INTERFACE:rill_static> ${part_NEEDS})
  target_link_options(rill_${name}_shared PRIVATE LINKER:--exclude-libs,librill.a)
  if(NOT RILL_SANITIZE)
    target_link_options(rill_${name}_shared PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(rill_${name}_shared PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
  set_target_properties(rill_${name}_static rill_${name}_shared PROPERTIES OUTPUT_NAME rill_${name} LINKER_LANGUAGE C)
endfunction()

rill_part(scene scene NEEDS PkgConfig::YAML)
rill_part(frames frame PARTS scene NEEDS PkgConfig::ZLIB)
rill_part(surface surface NEEDS PkgConfig::ZLIB)
rill_part(render render PARTS frames surface NEEDS PkgConfig::PNG ${exr_library} ${embree})
target_include_directories(rill_render_objects SYSTEM PRIVATE ${OPENEXR_INCLUDE_DIRS} ${EMBREE_INCLUDE})
set(RILL_PARTS scene frames surface render)
