# `./spotsim install DIR`: the programs, the scenarios as examples, and a package for find_package(spotsim), which
# gives spotsim_add_scenario_test() to a project of its own.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A build folder of developers compiles sooner and runs `spotsim explore` a tenth slower.
if(NOT SPOTSIM_OPTIMISED)
  install(CODE "
    if(NOT DEFINED ENV{SPOTSIM_INSTALL_AS_BUILT})
      message(FATAL_ERROR \"${PROJECT_BINARY_DIR} is built with \\\"${CMAKE_CXX_FLAGS_${type}}\\\": what is installed \"
        \"should be built with -O2. Run ./spotsim install DIR in ${PROJECT_SOURCE_DIR}, or there: \"
        \"cmake --preset install && cmake --build --preset install && cmake --install build-install --prefix DIR. \"
        \"To install this build as it is, set the environment variable SPOTSIM_INSTALL_AS_BUILT=1.\")
    endif()
  ")
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/spotsim)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spotsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/spotsimConfig.cmake.in ${PROJECT_BINARY_DIR}/spotsimConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_BINDIR)

install(TARGETS spotsim spotrun spottrain RUNTIME)
# What was built of the rest: the gang's program needs MPI, the module `./spotsim build cuda`.
if(TARGET spottrain-mpi)
  install(PROGRAMS $<TARGET_FILE:spottrain-mpi> DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
if(TARGET spottrain_cuda)
  install(FILES $<TARGET_FILE:spottrain_cuda> DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
install(FILES cmake/SpotsimScenarioTest.cmake ${PROJECT_BINARY_DIR}/spotsimConfig.cmake
  ${PROJECT_BINARY_DIR}/spotsimConfigVersion.cmake DESTINATION ${package_folder})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim USE_SOURCE_PERMISSIONS
  PATTERN CMakeLists.txt EXCLUDE)

# Completion, which the installed program writes itself, where bash-completion and zsh look for it.
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  function(install_completion shell folder name)
    file(MAKE_DIRECTORY \${prefix}/${CMAKE_INSTALL_DATADIR}/\${folder})
    execute_process(COMMAND \${prefix}/${CMAKE_INSTALL_BINDIR}/spotsim completion \${shell}
      OUTPUT_FILE \${prefix}/${CMAKE_INSTALL_DATADIR}/\${folder}/\${name} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  install_completion(bash bash-completion/completions spotsim)
  install_completion(zsh zsh/site-functions _spotsim)
")
