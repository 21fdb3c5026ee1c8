# spotsim_room(NAME [FOLDERS folder…] [LINK target…]): the library spotsim::NAME of all .cpp files in the
# current folder and in the named folders below it, except main.cpp, *_test.cpp and *_for_test.cpp.
# Including and linking follow LINK, so an include against the direction of the design fails to link.
function(spotsim_room name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;LINK" ${ARGN})
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
  if(sources)
    spotsim_reuse_precompiled(spotsim_${name} spotsim_precompiled)
  endif()
endfunction()

# SPOTSIM_PRECOMPILE: the headers of others that most files read are compiled once, in a build that compiles
# each file alone. No header of ours is among them, so that each file must include what it uses of ours.
option(SPOTSIM_PRECOMPILE "Compile the libraries' headers once" OFF)
function(spotsim_precompile target)
  file(WRITE ${PROJECT_BINARY_DIR}/${target}.cpp "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  target_link_libraries(${target} PRIVATE nlohmann_json::nlohmann_json fmt::fmt)
  target_precompile_headers(${target} PRIVATE <algorithm> <chrono> <filesystem> <fstream> <functional> <map>
    <memory> <optional> <set> <span> <string> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp> ${ARGN})
endfunction()
if(SPOTSIM_PRECOMPILE)
  spotsim_precompile(spotsim_precompiled)
endif()
function(spotsim_reuse_precompiled target precompiled)
  if(SPOTSIM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
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
  # What is under test is optimised; its tests need not be, and compile in half the time.
  set(optimised $<IF:$<BOOL:${SPOTSIM_SANITIZE}>,-O0,-O1>)
  if(SPOTSIM_PRECOMPILE AND NOT TARGET spotsim_precompiled_tests)
    spotsim_precompile(spotsim_precompiled_tests <gtest/gtest.h>)
    target_link_libraries(spotsim_precompiled_tests PRIVATE GTest::gtest)
    target_compile_options(spotsim_precompiled_tests PRIVATE ${optimised})
  endif()
  add_executable(${name}_tests ${sources})
  add_dependencies(tests ${name}_tests)
  target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name}_tests PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  spotsim_reuse_precompiled(${name}_tests spotsim_precompiled_tests)
  # A test's includes are of little interest: joined, tests compile in half the time, under the sanitizers too.
  set_target_properties(${name}_tests PROPERTIES UNITY_BUILD ON)
  target_compile_options(${name}_tests PRIVATE ${optimised})
  target_compile_definitions(${name}_tests PRIVATE
    SPOTSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SPOTSIM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
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
