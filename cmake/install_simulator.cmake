# What the simulator's users need beside the programs: the scenarios as examples, docs, completion, schemas, and a
# package for find_package(spotsim), which gives spotsim_add_scenario_test() to a project of its own.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/spotsim)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spotsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/spotsimConfig.cmake.in ${PROJECT_BINARY_DIR}/spotsimConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_BINDIR)
install(FILES cmake/SpotsimScenarioTest.cmake ${PROJECT_BINARY_DIR}/spotsimConfig.cmake
  ${PROJECT_BINARY_DIR}/spotsimConfigVersion.cmake DESTINATION ${package_folder})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim USE_SOURCE_PERMISSIONS)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim USE_SOURCE_PERMISSIONS
  PATTERN CMakeLists.txt EXCLUDE)

install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim USE_SOURCE_PERMISSIONS
  PATTERN CMakeLists.txt EXCLUDE PATTERN "*.py" EXCLUDE PATTERN site EXCLUDE)
# docs/ again, for the scripts that pages show.
install(DIRECTORY docs/adapters DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim/docs USE_SOURCE_PERMISSIONS)

# What the installed program writes: completion where bash-completion, zsh and fish look for it, and the schemas in
# place of those in docs/, which lack the names that the program knows.
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  function(install_output name)
    set(file \${prefix}/${CMAKE_INSTALL_DATADIR}/\${name})
    get_filename_component(folder \${file} DIRECTORY)
    file(MAKE_DIRECTORY \${folder})
    execute_process(COMMAND \${prefix}/${CMAKE_INSTALL_BINDIR}/spotsim \${ARGN}
      OUTPUT_FILE \${file} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  install_output(bash-completion/completions/spotsim completion bash)
  install_output(zsh/site-functions/_spotsim completion zsh)
  install_output(fish/vendor_completions.d/spotsim.fish completion fish)
  foreach(name scenario sweep advice job faults)
    install_output(spotsim/docs/\${name}.schema.json schema \${name})
  endforeach()
")
