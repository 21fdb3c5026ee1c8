# `./spotsim install DIR`: the programs and their manual pages, and, where the simulator is built, what its users need
# (install_simulator.cmake).
include(GNUInstallDirs)

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

set(installed_programs spotrun spottrain)
if(NOT SPOTSIM_WITHOUT_SIMULATOR)
  list(PREPEND installed_programs spotsim)
endif()
install(TARGETS ${installed_programs} RUNTIME)
# What was built of the rest: the gang's program needs MPI, the module `./spotsim build cuda`.
if(TARGET spottrain-mpi)
  install(TARGETS spottrain-mpi RUNTIME OPTIONAL)
endif()
if(TARGET spottrain_cuda)
  install(FILES $<TARGET_FILE:spottrain_cuda> DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()

if(NOT SPOTSIM_WITHOUT_SIMULATOR)
  include(cmake/install_simulator.cmake)
endif()

# Manual pages, of what the installed programs say of themselves.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(GZIP gzip REQUIRED)
install(CODE "
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  set(pages \${prefix}/${CMAKE_INSTALL_DATADIR}/man/man1)
  file(MAKE_DIRECTORY \${pages})
  foreach(name ${installed_programs})
    set(others ${installed_programs})
    list(REMOVE_ITEM others \${name})
    execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/man_page.py
        --emulator=${CMAKE_CROSSCOMPILING_EMULATOR} \${prefix}/${CMAKE_INSTALL_BINDIR}/\${name} \${others}
      COMMAND ${GZIP} -9n OUTPUT_FILE \${pages}/\${name}.1.gz COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  if(EXISTS \${prefix}/${CMAKE_INSTALL_BINDIR}/spottrain-mpi)
    file(CREATE_LINK spottrain.1.gz \${pages}/spottrain-mpi.1.gz SYMBOLIC)
  endif()
")
