# spotsim_add_scenario_test(FILE): the scenario as a CTest test named scenario.NAME, which passes when all
# that its `expect:` block says holds. find_package(spotsim) brings it from an installed spotsim.
function(spotsim_add_scenario_test file)
  get_filename_component(path ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  if(TARGET spotsim)
    set(program $<TARGET_FILE:spotsim>)
  else()
    set(program ${SPOTSIM_PROGRAM})
  endif()
  add_test(NAME scenario.${name}
    COMMAND ${program} run ${path} --out ${CMAKE_CURRENT_BINARY_DIR}/${name})
  # In lockstep a run needs a CPU of its own, so one at a time.
  set_tests_properties(scenario.${name} PROPERTIES TIMEOUT 600 RUN_SERIAL TRUE LABELS scenario)
endfunction()
