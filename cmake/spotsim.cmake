# SPOTSIM_OPTIMISED: the whole build is at -O2 or -O3, as the preset `install` is. Only such a build is installed, and
# no file of it has a lower level of its own.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(REGEX MATCHALL "-O[^ ]*" optimisations "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
set(SPOTSIM_OPTIMISED OFF)
if(optimisations MATCHES "-O[23]$")
  set(SPOTSIM_OPTIMISED ON)
endif()
unset(optimisations)

# spotsim_room(NAME [FAST] [FOLDERS folder…] [LINK target…]) adds the library spotsim::NAME. It consists of
# all .cpp files in the current folder and in the named folders below it, except main.cpp, *_test.cpp and
# *_for_test.cpp. Includes and linking follow LINK, so an include against the direction of the design fails to
# link. FAST compiles the room with -O2, for rooms in which a benchmark is slower with -Og. The other rooms
# use -Og, which compiles faster.
function(spotsim_room name)
  cmake_parse_arguments(ARG "FAST" "" "FOLDERS;LINK" ${ARGN})
  spotsim_sources(sources "*.cpp" ${ARG_FOLDERS})
  list(FILTER sources EXCLUDE REGEX "(/main|_test)\\.cpp$")
  set(scope PUBLIC)
  if(sources)
    add_library(spotsim_${name} STATIC ${sources})
  else()
    set(scope INTERFACE)
    add_library(spotsim_${name} INTERFACE)
  endif()
  add_library(spotsim::${name} ALIAS spotsim_${name})
  target_include_directories(spotsim_${name} ${scope} ${PROJECT_SOURCE_DIR})
  target_link_libraries(spotsim_${name} ${scope} ${ARG_LINK})
  if(ARG_FAST AND NOT SPOTSIM_OPTIMISED)
    target_compile_options(spotsim_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
  if(sources)
    spotsim_precompiled_headers(spotsim_${name})
  endif()
endfunction()

# spotsim_optimise(LEVEL file…): these files have a level of their own, and are compiled alone for that. A build that
# is to be installed has one level.
function(spotsim_optimise level)
  if(SPOTSIM_OPTIMISED)
    return()
  endif()
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS $<$<CONFIG:Release>:${level}> SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# The files of that pattern in the current folder and in the named folders below it.
function(spotsim_sources result pattern)
  set(patterns ${pattern})
  foreach(folder ${ARGN})
    list(APPEND patterns ${folder}/${pattern})
  endforeach()
  file(GLOB found CONFIGURE_DEPENDS ${patterns})
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# spotsim_tests(NAME [LABEL label] [FOLDERS folder…] [SOURCES file…] [LINK target…]) adds one GoogleTest
# program. It consists of the named files and of all *_test.cpp files in the current folder and in the named
# folders below it. Every TEST becomes a CTest test named NAME.Suite.Case. Its label is `unit` unless another
# is given: `program` marks tests that start programs of this build. The sanitizer build runs the label
# `unit`. There a program is one CTest test, named NAME, of one process: a start costs 30 ms of processor time, which
# is more than most tests take. ALONE keeps a process for each test.
include(GoogleTest)
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(STATUS "no GoogleTest found: tests are left out")
endif()
set(SPOTSIM_TEST_OBJECTS "" CACHE PATH "Another build folder: its tests, as it has compiled them, are linked with this one's rooms")
function(spotsim_tests name)
  cmake_parse_arguments(ARG "ALONE" "LABEL" "FOLDERS;SOURCES;LINK;PROPERTIES" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  spotsim_sources(sources "*_test.cpp" ${ARG_FOLDERS})
  if(NOT sources OR NOT GTest_FOUND)
    return()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(SPOTSIM_TEST_OBJECTS AND NOT ARG_LABEL STREQUAL unit)
    return()
  elseif(SPOTSIM_TEST_OBJECTS)
    spotsim_compiled_tests(${name} ${folder} ${ARG_LINK})
  else()
    add_executable(${name}_tests ${sources} ${ARG_SOURCES})
  endif()
  add_dependencies(tests ${name}_tests)
  if(ARG_LABEL STREQUAL unit)
    add_dependencies(unit_tests ${name}_tests)
  endif()
  target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name}_tests PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  # What is under test is optimised; its tests need not be, but for the trainer's, which compute beside it. Nor are
  # their includes of much interest: joined they compile in half the time.
  set_target_properties(${name}_tests PROPERTIES UNITY_BUILD ON)
  if(SPOTSIM_SANITIZE)
    target_sources(${name}_tests PRIVATE $<TARGET_OBJECTS:sanitizer_options>)
    target_compile_options(${name}_tests PRIVATE -O0)
  elseif(folder MATCHES "^trainer")
    target_compile_options(${name}_tests PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT SPOTSIM_TEST_OBJECTS)
    spotsim_precompiled_headers(${name}_tests)
  endif()
  target_compile_definitions(${name}_tests PRIVATE
    SPOTSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SPOTSIM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(SPOTSIM_SANITIZE AND NOT ARG_ALONE)
    add_test(NAME ${name} COMMAND ${name}_tests --gtest_brief=1)
    # The programs begin first: one that ended last would leave a core idle for a minute.
    set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 1200 COST 200 ${ARG_PROPERTIES})
    return()
  endif()
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 300 ${ARG_PROPERTIES})
endfunction()

# NAME_tests of the objects that are in the other build folder. Inline functions that a room and its tests both have
# are to be the room's: it comes first, and whole.
function(spotsim_compiled_tests name folder)
  file(GLOB_RECURSE objects ${SPOTSIM_TEST_OBJECTS}/${folder}/CMakeFiles/${name}_tests.dir/*.o)
  if(NOT objects)
    message(FATAL_ERROR "no objects of ${name}_tests in ${SPOTSIM_TEST_OBJECTS}: build its tests first")
  endif()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)
  add_executable(${name}_tests ${objects})
  set_target_properties(${name}_tests PROPERTIES LINKER_LANGUAGE CXX)
  foreach(room ${ARGN})
    if(TARGET ${room})
      get_target_property(type ${room} TYPE)
      if(type STREQUAL STATIC_LIBRARY)
        target_link_options(${name}_tests PRIVATE
          LINKER:--whole-archive,$<TARGET_FILE:${room}>,--no-whole-archive)
      endif()
    endif()
  endforeach()
endfunction()

# spotsim_fast_allocator(PROGRAM): malloc and new are mimalloc's, a sixth of the time of a run in
# fiber guests (docs/notes/performance.md). The sanitizers have an allocator of their own.
function(spotsim_fast_allocator program)
  if(SPOTSIM_SANITIZE)
    return()
  endif()
  find_package(mimalloc REQUIRED)
  target_link_options(${program} PRIVATE LINKER:--no-as-needed)
  target_link_libraries(${program} PRIVATE mimalloc)
endfunction()
