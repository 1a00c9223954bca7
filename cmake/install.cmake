# What `make install` lays out: program, man page, completion, libraries, headers,
# scenes, pkg-config files and a CMake package with rill::rill, rill::scene,
# rill::frames, rill::surface and rill::render (shared), and each with _static behind
# its name. Nothing installed holds a path of the build, so a prefix can be moved.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_MESSAGE NEVER)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
set(package_build_folder ${PROJECT_BINARY_DIR}/package)

install(DIRECTORY include/rill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(EXISTS ${PROJECT_SOURCE_DIR}/scenes)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/rill)
endif()
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/rill)
install(TARGETS rill rill-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The man page and what shells complete are printed by the program itself, so it must run where it is built. A build
# with a sanitizer is not one to install.
function(rill_install_printed words file folder)
  set(printed ${PROJECT_BINARY_DIR}/printed/${file})
  add_custom_command(OUTPUT ${printed} COMMAND rill reference ${words} > ${printed} DEPENDS rill VERBATIM
    COMMENT "Printing ${file}")
  set_property(GLOBAL APPEND PROPERTY RILL_PRINTED ${printed})
  install(FILES ${printed} DESTINATION ${folder})
endfunction()
if(NOT CMAKE_CROSSCOMPILING AND NOT RILL_SANITIZE)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/printed)
  rill_install_printed(man rill.1 ${CMAKE_INSTALL_MANDIR}/man1)
  rill_install_printed("completion;bash" rill ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  rill_install_printed("completion;zsh" _rill ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  rill_install_printed("completion;fish" rill.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  get_property(printed GLOBAL PROPERTY RILL_PRINTED)
  add_custom_target(rill_printed ALL DEPENDS ${printed})
endif()

# Names under which other projects know the libraries, installed or as a subfolder.
function(rill_install_library target export_set name)
  add_library(rill::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT ${export_set}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# rill_install_pc(NAME LIBRARY DESCRIPTION [REQUIRES ...] [PRIVATE_REQUIRES ...] [PRIVATE_LIBS ...])
function(rill_install_pc pc_name pc_library pc_description)
  cmake_parse_arguments(pc "" "" "REQUIRES;PRIVATE_REQUIRES;PRIVATE_LIBS" ${ARGN})
  list(TRANSFORM pc_REQUIRES APPEND " = ${PROJECT_VERSION}")
  list(JOIN pc_REQUIRES ", " pc_requires)
  list(JOIN pc_PRIVATE_REQUIRES ", " pc_requires_private)
  list(JOIN pc_PRIVATE_LIBS " " pc_libs_private)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/part.pc.in ${package_build_folder}/${pc_name}.pc @ONLY)
  install(FILES ${package_build_folder}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# From the folder of the .pc files back to the prefix, so that the prefix is found wherever it is.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")

rill_install_library(rill_shared rill-targets rill)
rill_install_library(rill_static rill-targets rill_static)
# A static part is offered where what it needs is found, so each is in a set of its own.
foreach(part IN LISTS RILL_PARTS)
  rill_install_library(rill_${part}_shared rill-targets ${part})
  rill_install_library(rill_${part}_static rill-${part}-static-targets ${part}_static)
  install(EXPORT rill-${part}-static-targets NAMESPACE rill:: DESTINATION ${package_folder})
endforeach()
install(EXPORT rill-targets NAMESPACE rill:: DESTINATION ${package_folder})

rill_install_pc(rill rill "Particle engine for fluids" PRIVATE_LIBS ${CMAKE_THREAD_LIBS_INIT} -lm)
rill_install_pc(rill-scene rill_scene "Scene files for rill" REQUIRES rill PRIVATE_REQUIRES yaml-0.1)
rill_install_pc(rill-frames rill_frames "Run folders, frames and export for rill" REQUIRES rill-scene rill
  PRIVATE_REQUIRES zlib)
rill_install_pc(rill-surface rill_surface "Closed surfaces of particles" REQUIRES rill PRIVATE_REQUIRES zlib)
rill_install_pc(rill-render rill_render "Pictures of rill's frames" REQUIRES rill-frames rill-surface rill
  PRIVATE_REQUIRES libpng OpenEXR PRIVATE_LIBS -lembree3)

configure_package_config_file(cmake/rill-config.cmake.in ${package_build_folder}/rill-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${package_build_folder}/rill-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package_build_folder}/rill-config.cmake ${package_build_folder}/rill-config-version.cmake
  DESTINATION ${package_folder})
