# `cmake --install build --prefix DIR`: the programs, the scenarios as examples, and a package for
# find_package(spotsim), which gives spotsim_add_scenario_test() to a project of its own.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/spotsim)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spotsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/spotsimConfig.cmake.in ${PROJECT_BINARY_DIR}/spotsimConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_BINDIR)

install(TARGETS spotsim spotrun spottrain RUNTIME)
install(FILES cmake/SpotsimScenarioTest.cmake ${PROJECT_BINARY_DIR}/spotsimConfig.cmake
  ${PROJECT_BINARY_DIR}/spotsimConfigVersion.cmake DESTINATION ${package_folder})
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim USE_SOURCE_PERMISSIONS
  PATTERN CMakeLists.txt EXCLUDE)
