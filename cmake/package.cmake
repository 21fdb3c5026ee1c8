# `./spotsim package`: a Debian package of what is installed. Depends on the libraries that the programs are linked
# with, and on the programs that guests call, which ./spotsim lists.
file(STRINGS ${PROJECT_SOURCE_DIR}/spotsim line REGEX "^run_packages=")
string(REGEX REPLACE "^run_packages=\\((.*)\\)$" "\\1" run_packages "${line}")
separate_arguments(run_packages)
# Only some scenarios call these, and not every distribution has all of them.
set(recommended awscli cron openmpi-bin wget)
list(REMOVE_ITEM run_packages ${recommended})
list(JOIN run_packages ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spotsim)
set(CPACK_PACKAGE_CONTACT "The authors of spotsim <spotsim@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulator of AWS EC2 Spot for training jobs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Runs the programs of a spot training job against a simulated AWS, on virtual time.
 Contains the simulator spotsim, the launcher spotrun and the trainer spottrain.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)

add_custom_target(deb COMMAND ${CMAKE_CPACK_COMMAND} -G DEB DEPENDS programs
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} USES_TERMINAL)
