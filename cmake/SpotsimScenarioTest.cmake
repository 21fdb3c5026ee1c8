# spotsim_add_scenario_test(FILE) adds the scenario as the CTest test scenario.NAME. The test passes if
# everything in the scenario's `expect:` block is true. spotsim_add_sweep_test(FILE) adds the sweep as the
# test sweep.NAME. The test passes if no run fails. It is skipped if traces that it names in $SPOTSIM_SHARED
# are missing.
# spotsim_add_explore_test(FILE [TIME time] [FINDS invariant] [OPTIONS option…]) adds a search for faults that break
# the scenario's job, as the test explore.NAME. The test passes if the search finds none in that time (default 5m),
# or with FINDS if it finds one that breaks this invariant. OPTIONS are those of `spotsim explore`. Failures are in
# explore/NAME/junit.xml of the build folder, and in the test's output.
# find_package(spotsim) provides all three functions from an installed spotsim.
function(spotsim_find_program result)
  if(TARGET spotsim)
    set(${result} $<TARGET_FILE:spotsim> PARENT_SCOPE)
  else()
    set(${result} ${SPOTSIM_PROGRAM} PARENT_SCOPE)
  endif()
endfunction()

function(spotsim_add_scenario_test file)
  get_filename_component(path ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  spotsim_find_program(program)
  add_test(NAME scenario.${name}
    COMMAND ${program} run ${path} --out ${CMAKE_CURRENT_BINARY_DIR}/${name})
  # Each run takes a CPU that no other has (sim/guest/time/lockstep.h). The long ones should begin early: CTest
  # starts with the highest COST.
  set_tests_properties(scenario.${name} PROPERTIES
    TIMEOUT 600 COST 100 LABELS scenario
    FIXTURES_SETUP log_of_${name})
endfunction()

function(spotsim_add_sweep_test file)
  get_filename_component(path ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  spotsim_find_program(program)
  # From the beginning: rows that are there already would not be computed.
  add_test(NAME sweep.${name}
    COMMAND sh -c "rm -rf \"$2\" && exec \"$0\" sweep \"$1\" --out \"$2\""
      ${program} ${path} ${CMAKE_CURRENT_BINARY_DIR}/sweeps/${name})
  set_tests_properties(sweep.${name} PROPERTIES TIMEOUT 600 LABELS scenario)
  file(STRINGS ${path} shared REGEX "[$]SPOTSIM_SHARED/")
  if(shared)
    set_tests_properties(sweep.${name} PROPERTIES
      SKIP_REGULAR_EXPRESSION "cannot be opened: No such file or directory")
  endif()
endfunction()

function(spotsim_add_explore_test file)
  cmake_parse_arguments(ARG "" "TIME;FINDS" "OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "spotsim_add_explore_test: found ${ARG_UNPARSED_ARGUMENTS}, expected TIME, FINDS or OPTIONS")
  endif()
  if(NOT ARG_TIME)
    set(ARG_TIME 5m)
  endif()
  get_filename_component(path ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  spotsim_find_program(program)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/explore/${name})
  # From the beginning: known runs of an earlier search would not be made again.
  add_test(NAME explore.${name}
    COMMAND sh -c "rm -rf \"$1\" && mkdir -p \"$1\" && out=$1 && shift && exec \"$0\" explore --out \"$out\" --junit \"$out/junit.xml\" \"$@\""
      ${program} ${out} --time ${ARG_TIME} ${ARG_OPTIONS} ${path})
  # The search uses all cores, and ends by itself. The limit is for a run that hangs.
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  set_tests_properties(explore.${name} PROPERTIES
    TIMEOUT 1800 COST 100 LABELS scenario PROCESSORS ${cores})
  if(ARG_FINDS)
    # Replaces the exit status. The report has the invariant's ID after its sentence.
    set_tests_properties(explore.${name} PROPERTIES
      PASS_REGULAR_EXPRESSION "BROKEN: [^\n]* [(]${ARG_FINDS}[)]")
  endif()
endfunction()
