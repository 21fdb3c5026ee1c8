# spotsim_room(NAME [FAST] [FOLDERS folder…] [LINK target…]): the library spotsim::NAME of all .cpp files in the
# current folder and in the named folders below it, except main.cpp, *_test.cpp and *_for_test.cpp.
# Including and linking follow LINK, so an include against the direction of the design fails to link.
# FAST is for rooms in which a benchmark loses at -O1, at which the others compile sooner: -O2.
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
  if(ARG_FAST)
    target_compile_options(spotsim_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
  if(sources)
    spotsim_precompiled_headers(spotsim_${name})
  endif()
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

# spotsim_tests(NAME [FOLDERS folder…] [LINK target…]): one GoogleTest program of all *_test.cpp files in the current
# folder and in the named folders below it; every TEST becomes a CTest test named NAME.Suite.Case, with the label `unit` unless another is
# given. The sanitizer build runs the label `unit`.
include(GoogleTest)
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(STATUS "no GoogleTest found: tests are left out")
endif()
function(spotsim_tests name)
  cmake_parse_arguments(ARG "" "LABEL" "FOLDERS;LINK;PROPERTIES" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  spotsim_sources(sources "*_test.cpp" ${ARG_FOLDERS})
  if(NOT sources OR NOT GTest_FOUND)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  add_dependencies(tests ${name}_tests)
  if(ARG_LABEL STREQUAL unit)
    add_dependencies(unit_tests ${name}_tests)
  endif()
  target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name}_tests PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  # What is under test is optimised; its tests need not be, but for the trainer's, which compute beside it. Nor are
  # their includes of much interest: joined they compile in half the time.
  set_target_properties(${name}_tests PROPERTIES UNITY_BUILD ON)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(SPOTSIM_SANITIZE)
    target_compile_options(${name}_tests PRIVATE -O0)
  elseif(NOT folder MATCHES "^trainer")
    target_compile_options(${name}_tests PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
  spotsim_precompiled_headers(${name}_tests)
  target_compile_definitions(${name}_tests PRIVATE
    SPOTSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SPOTSIM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 300 ${ARG_PROPERTIES})
endfunction()

# spotsim_fast_allocator(PROGRAM): malloc and new are mimalloc's, a sixth of the time of a run in
# fiber guests (docs/benchmarks.md). The sanitizers have an allocator of their own.
function(spotsim_fast_allocator program)
  if(SPOTSIM_SANITIZE)
    return()
  endif()
  find_package(mimalloc REQUIRED)
  target_link_options(${program} PRIVATE LINKER:--no-as-needed)
  target_link_libraries(${program} PRIVATE mimalloc)
endfunction()
