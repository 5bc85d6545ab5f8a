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
install(FILES ${PROJECT_BINARY_DIR}/muster-config.cmake ${PROJECT_BINARY_DIR}/muster-config-version.cmake
        DESTINATION ${package_dir})
