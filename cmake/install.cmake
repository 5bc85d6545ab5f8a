# What make install installs besides the program: data, the public headers, one archive, and a package for find_package(muster).
# A user links muster::muster and nothing else.
include(CMakePackageConfigHelpers)

# The libraries of the folders that a library needs, itself included: they become one archive, since how we cut src/ is our own matter.
function(muster_libraries_behind library RESULT)
  set(found ${${RESULT}})
  if(TARGET ${library} AND library MATCHES "^muster_" AND NOT library IN_LIST found)
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND found ${library})
      if(TARGET ${library}_light)
        list(APPEND found ${library}_light)
      endif()
      get_target_property(linked ${library} LINK_LIBRARIES)
    else()
      get_target_property(linked ${library} INTERFACE_LINK_LIBRARIES)
    endif()
    foreach(next ${linked})
      muster_libraries_behind("${next}" found)
    endforeach()
  endif()
  set(${RESULT} ${found} PARENT_SCOPE)
endfunction()

set(libraries "")
muster_libraries_behind(muster_library libraries)
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(muster_archive STATIC ${objects})
add_library(muster::muster ALIAS muster_archive)
set_target_properties(muster_archive PROPERTIES OUTPUT_NAME muster EXPORT_NAME muster LINKER_LANGUAGE CXX)
target_compile_features(muster_archive PUBLIC cxx_std_20)
target_include_directories(muster_archive INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# The package says where the data of an installed Muster is.
target_compile_definitions(muster_archive INTERFACE $<BUILD_INTERFACE:MUSTER_DATA_FOLDER="${PROJECT_SOURCE_DIR}">)
target_link_libraries(muster_archive PRIVATE fmt::fmt tomlplusplus::tomlplusplus Threads::Threads ${CMAKE_DL_LIBS})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/muster)
set(muster_data ${CMAKE_INSTALL_DATADIR}/muster)
install(DIRECTORY machines claims workloads shots share DESTINATION ${muster_data})
install(DIRECTORY include/muster DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS muster_archive EXPORT muster ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT muster NAMESPACE muster:: FILE muster-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/muster-config.cmake.in ${PROJECT_BINARY_DIR}/muster-config.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS muster_data)
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
