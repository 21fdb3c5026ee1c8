# spotsim_precompiled_headers(TARGET): the headers that nearly every file includes are read once for all targets of the
# same flags, and not once for each compiled file. Only in unity builds: a build that compiles each file alone shows
# that each file includes what it uses. Not with ccache, because ccache keeps less of such compilations.
function(spotsim_precompiled_headers target)
  if(CMAKE_UNITY_BUILD AND NOT CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
    set_property(GLOBAL APPEND PROPERTY spotsim_with_headers ${target})
  endif()
endfunction()

# When all folders have been read: a target's flags may be set until then. Flags of a target or two do not pay.
cmake_language(DEFER CALL spotsim_precompile_headers)
function(spotsim_precompile_headers)
  get_property(targets GLOBAL PROPERTY spotsim_with_headers)
  foreach(target ${targets})
    get_target_property(flags ${target} COMPILE_OPTIONS)
    get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
    string(MD5 hash "${flags} ${independent}")
    list(APPEND users_${hash} ${target})
    list(APPEND hashes ${hash})
  endforeach()
  list(REMOVE_DUPLICATES hashes)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers.cpp CONTENT "")
  foreach(hash ${hashes})
    list(LENGTH users_${hash} many)
    if(many GREATER 3)
      list(GET users_${hash} 0 first)
      spotsim_precompile_headers_as_for(${first} headers_${hash})
      foreach(target ${users_${hash}})
        target_precompile_headers(${target} REUSE_FROM headers_${hash})
        # For GCC a file joined to others is no longer part of the program's text then, but a header.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
        # A target that includes fmt's headers needs the definitions of a target that links fmt.
        target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
      endforeach()
    endif()
  endforeach()
endfunction()

function(spotsim_precompile_headers_as_for target headers)
  add_library(${headers} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/headers.cpp)
  get_target_property(flags ${target} COMPILE_OPTIONS)
  get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
  set_target_properties(${headers} PROPERTIES
    COMPILE_OPTIONS "${flags}" POSITION_INDEPENDENT_CODE ${independent} UNITY_BUILD OFF)
  target_link_libraries(${headers} PRIVATE fmt::fmt)
  target_precompile_headers(${headers} PRIVATE
    <algorithm> <array> <charconv> <chrono> <cmath> <deque> <filesystem> <fstream> <functional> <map> <memory>
    <numeric> <optional> <random> <ranges> <set> <span> <sstream> <string> <string_view> <system_error> <thread>
    <utility> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>
    <boost/beast/http/message.hpp> <boost/beast/http/string_body.hpp>
    ${PROJECT_SOURCE_DIR}/base/json/json_instances.h)
endfunction()
