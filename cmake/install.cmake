# What make install installs besides the program: data, headers, libraries, and a package for find_package(muster).
# A user links muster::plan, or the library of any other folder of src/.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/muster)
install(DIRECTORY machines claims workloads DESTINATION ${CMAKE_INSTALL_DATADIR}/muster)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/muster FILES_MATCHING PATTERN "*.h"
        PATTERN "*test_support.h" EXCLUDE PATTERN "testing.h" EXCLUDE PATTERN "test_schedules.h" EXCLUDE PATTERN "*_fixtures.h" EXCLUDE
        PATTERN "samples.h" EXCLUDE PATTERN "checker.h" EXCLUDE)
set_target_properties(muster_options PROPERTIES EXPORT_NAME options)
install(TARGETS muster_options EXPORT muster)
install(EXPORT muster NAMESPACE muster:: FILE muster-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/muster-config.cmake.in ${PROJECT_BINARY_DIR}/muster-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/muster-config-version.cmake COMPATIBILITY SameMinorVersion)

# Completions for shells and the manual page: the program writes them from its own table of commands and flags.
set(shell_files ${PROJECT_BINARY_DIR}/shell_files)
file(MAKE_DIRECTORY ${shell_files})
foreach(shell bash zsh fish)
  add_custom_command(OUTPUT ${shell_files}/muster.${shell} COMMAND muster completions ${shell} > ${shell_files}/muster.${shell}
                     DEPENDS muster VERBATIM)
endforeach()
add_custom_command(OUTPUT ${shell_files}/muster.1 COMMAND muster man > ${shell_files}/muster.1 DEPENDS muster VERBATIM)
add_custom_target(muster_shell_files ALL DEPENDS ${shell_files}/muster.bash ${shell_files}/muster.zsh
                                                 ${shell_files}/muster.fish ${shell_files}/muster.1)
install(FILES ${shell_files}/muster.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME muster)
install(FILES ${shell_files}/muster.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _muster)
install(FILES ${shell_files}/muster.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${shell_files}/muster.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

install(FILES ${PROJECT_BINARY_DIR}/muster-config.cmake ${PROJECT_BINARY_DIR}/muster-config-version.cmake
        DESTINATION ${package_dir})
