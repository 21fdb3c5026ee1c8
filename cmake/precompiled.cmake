# spotsim_precompiled(TARGET…): what most files include and what takes longest to read of it is compiled once for
# all targets that have the same options. GCC keeps the options with it, the level of optimisation among them, and
# a file that reads it is compiled with those, whatever its own say; so targets are told apart by their options
# when all of them are known.
function(spotsim_precompiled)
  set_property(GLOBAL APPEND PROPERTY SPOTSIM_PRECOMPILED ${ARGN})
endfunction()
cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL spotsim_precompile)

function(spotsim_precompile)
  # A compiler cache would miss.
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
    return()
  endif()
  get_property(targets GLOBAL PROPERTY SPOTSIM_PRECOMPILED)
  foreach(target ${targets})
    get_target_property(options ${target} COMPILE_OPTIONS)
    get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
    string(MD5 key "${pic} ${options}")
    list(APPEND keys ${key})
    list(APPEND targets_${key} ${target})
    set(options_${key} ${options})
    set(pic_${key} ${pic})
  endforeach()
  list(REMOVE_DUPLICATES keys)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")
  foreach(key ${keys})
    list(LENGTH targets_${key} uses)
    if(uses LESS 4)
      continue()  # It takes as long as it saves two of them.
    endif()
    set(precompiled spotsim_precompiled_${key})
    add_library(${precompiled} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled.cpp)
    set_target_properties(${precompiled} PROPERTIES
      COMPILE_OPTIONS "${options_${key}}" POSITION_INDEPENDENT_CODE "${pic_${key}}")
    # Only libraries that are the same whatever a target defines.
    target_link_libraries(${precompiled} PRIVATE nlohmann_json::nlohmann_json)
    target_precompile_headers(${precompiled} PRIVATE
      <algorithm> <array> <charconv> <chrono> <cmath> <deque> <filesystem> <fstream> <functional> <map>
      <memory> <optional> <set> <span> <sstream> <string> <string_view> <utility> <variant> <vector>
      <nlohmann/json.hpp>)
    foreach(target ${targets_${key}})
      target_precompile_headers(${target} REUSE_FROM ${precompiled})
    endforeach()
  endforeach()
endfunction()
