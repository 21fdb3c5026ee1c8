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

install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim
  PATTERN CMakeLists.txt EXCLUDE PATTERN "*.py" EXCLUDE PATTERN site EXCLUDE)
# docs/ again, for the scripts that pages show.
install(DIRECTORY docs/adapters DESTINATION ${CMAKE_INSTALL_DATADIR}/spotsim/docs)

# Files that the installed programs write: completion where bash-completion, zsh and fish look for it, manual pages,
# and the schemas in place of those in docs/, which lack the names that the program knows.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(GZIP gzip REQUIRED)
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  set(share \${prefix}/${CMAKE_INSTALL_DATADIR})
  function(install_output name)
    get_filename_component(folder \${name} DIRECTORY)
    file(MAKE_DIRECTORY \${share}/\${folder})
    execute_process(COMMAND \${ARGN} OUTPUT_FILE \${share}/\${name} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  set(programs \${prefix}/${CMAKE_INSTALL_BINDIR})
  install_output(bash-completion/completions/spotsim \${programs}/spotsim completion bash)
  install_output(zsh/site-functions/_spotsim \${programs}/spotsim completion zsh)
  install_output(fish/vendor_completions.d/spotsim.fish \${programs}/spotsim completion fish)
  foreach(name scenario sweep advice job faults)
    install_output(spotsim/docs/\${name}.schema.json \${programs}/spotsim schema \${name})
  endforeach()
  foreach(name spotsim spotrun spottrain)
    set(others spotsim spotrun spottrain)
    list(REMOVE_ITEM others \${name})
    install_output(man/man1/\${name}.1.gz ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/man_page.py
      \${programs}/\${name} \${others} COMMAND ${GZIP} -9n)
  endforeach()
")
