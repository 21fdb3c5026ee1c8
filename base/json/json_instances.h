// Compiles the parsing and writing of nlohmann's JSON once, in json_instances.cpp, and not in each
// file that uses it: this saves 1.5 s of processor time per file. It is precompiled with the
// library's header (cmake/headers.cmake). A file that includes only the library's header compiles
// its own copy, with the same result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace base {

using JsonInput = decltype(nlohmann::detail::input_adapter(std::declval<const std::string&>()));

}  // namespace base

// `extern_` is "extern" or nothing. parse() is two overloads of one member template.
#define SPOTSIM_JSON_INSTANCES(extern_, Json)                                                \
  extern_ template class nlohmann::detail::lexer<Json, base::JsonInput>;                     \
  extern_ template class nlohmann::detail::parser<Json, base::JsonInput>;                    \
  extern_ template class nlohmann::detail::serializer<Json>;                                 \
  extern_ template class nlohmann::detail::json_sax_dom_parser<Json>;                        \
  extern_ template class nlohmann::detail::json_sax_dom_callback_parser<Json>;               \
  extern_ template bool nlohmann::detail::parser<Json, base::JsonInput>::sax_parse_internal( \
      nlohmann::detail::json_sax_dom_parser<Json>*);                                         \
  extern_ template bool nlohmann::detail::parser<Json, base::JsonInput>::sax_parse_internal( \
      nlohmann::detail::json_sax_dom_callback_parser<Json>*);

SPOTSIM_JSON_INSTANCES(extern, nlohmann::json)
SPOTSIM_JSON_INSTANCES(extern, nlohmann::ordered_json)
