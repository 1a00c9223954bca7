# What `make install` lays out: program, man page, completion, libraries, headers, scenes, pkg-config
# files and a CMake package with rill::rill and rill::files (shared) and
# rill::rill_static and rill::files_static. Nothing installed holds a path of
# the build, so a prefix can be moved.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_MESSAGE NEVER)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
set(package_build_folder ${PROJECT_BINARY_DIR}/package)

install(DIRECTORY include/rill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(EXISTS ${PROJECT_SOURCE_DIR}/scenes)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/rill)
endif()
if(TARGET rill)
  install(TARGETS rill RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The man page and what shells complete are printed by the program itself, so it must run where it is built. A build
# with a sanitizer is not one to install.
function(rill_install_printed words file folder)
  set(printed ${PROJECT_BINARY_DIR}/printed/${file})
  add_custom_command(OUTPUT ${printed} COMMAND rill reference ${words} > ${printed} DEPENDS rill VERBATIM
    COMMENT "Printing ${file}")
  set_property(GLOBAL APPEND PROPERTY RILL_PRINTED ${printed})
  install(FILES ${printed} DESTINATION ${folder})
endfunction()
if(TARGET rill AND NOT CMAKE_CROSSCOMPILING AND NOT RILL_SANITIZE)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/printed)
  rill_install_printed(man rill.1 ${CMAKE_INSTALL_MANDIR}/man1)
  rill_install_printed("completion;bash" rill ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  rill_install_printed("completion;zsh" _rill ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  rill_install_printed("completion;fish" rill.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  get_property(printed GLOBAL PROPERTY RILL_PRINTED)
  add_custom_target(rill_printed ALL DEPENDS ${printed})
endif()
if(NOT TARGET rill_static)
  return()
endif()

# Names under which other projects know the libraries, installed or as a subfolder.
function(rill_install_library target export_set name)
  add_library(rill::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT ${export_set}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

function(rill_install_package_config name)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${package_build_folder}/${name}.pc @ONLY)
  install(FILES ${package_build_folder}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# From the folder of the .pc files back to the prefix, so that the prefix is found wherever it is.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")

rill_install_library(rill_shared rill-targets rill)
rill_install_library(rill_static rill-targets rill_static)
rill_install_package_config(rill)
if(TARGET rill_files_static)
  rill_install_library(rill_files_shared rill-targets files)
  rill_install_library(rill_files_static rill-files-static-targets files_static)
  rill_install_package_config(rill_files)
  set_target_properties(rill_files_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()

configure_package_config_file(cmake/rill-config.cmake.in ${package_build_folder}/rill-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${package_build_folder}/rill-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package_build_folder}/rill-config.cmake ${package_build_folder}/rill-config-version.cmake
  DESTINATION ${package_folder})
install(EXPORT rill-targets NAMESPACE rill:: DESTINATION ${package_folder})
if(TARGET rill_files_static)
  install(EXPORT rill-files-static-targets NAMESPACE rill:: DESTINATION ${package_folder})
endif()
