# `./spotsim package`: a Debian package of what is installed. Depends on the libraries that the programs are linked
# with and, where it has the simulator, on the programs that guests call, which ./spotsim lists.
set(CPACK_PACKAGE_NAME spotsim)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulator of AWS EC2 Spot for training jobs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Runs the programs of a spot training job against a simulated AWS, on virtual
 time. Contains the simulator spotsim, the launcher spotrun and the trainer
 spottrain.")
if(SPOTSIM_WITHOUT_SIMULATOR)
  set(CPACK_PACKAGE_NAME spotrun)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Launcher and trainer of spotsim's training jobs")
  set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Contains the launcher spotrun and the trainer spottrain, without the simulator.")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS spotsim)
else()
  file(STRINGS ${PROJECT_SOURCE_DIR}/spotsim line REGEX "^run_packages=")
  string(REGEX REPLACE "^run_packages=\\((.*)\\)$" "\\1" run_packages "${line}")
  separate_arguments(run_packages)
  # Only some scenarios call these, and not every distribution has all of them.
  set(recommended awscli cron openmpi-bin wget)
  # util-linux is essential: every Debian has it.
  list(REMOVE_ITEM run_packages ${recommended} util-linux)
  list(JOIN run_packages ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
  list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The authors of spotsim <spotsim@example.com>")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)

# Debian's policy asks for a licence and a list of changes.
configure_file(cmake/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog @ONLY)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_PACKAGE_NAME})
install(FILES cmake/debian/copyright DESTINATION ${documents})
install(CODE "
  execute_process(COMMAND ${GZIP} -9nc ${PROJECT_BINARY_DIR}/changelog
    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${documents}/changelog.gz\" COMMAND_ERROR_IS_FATAL ANY)
")

add_custom_target(deb COMMAND ${CMAKE_CPACK_COMMAND} -G DEB DEPENDS programs
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} USES_TERMINAL)
