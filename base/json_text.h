// Reads JSON documents from outside this program, and their text members.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace base {

// The document; discarded (is_discarded()) where the text is no JSON, or nested deeper than so many
// levels: a deep document is copied and written by calls within calls, which would end the stack.
nlohmann::ordered_json parse_json(std::string_view text, int deepest);

// The member of that name where it is a text; empty where it is not, where there is none, and where
// `object` is no object.
std::string text_of(const nlohmann::json& object, const char* name);
std::string text_of(const nlohmann::ordered_json& object, const char* name);

}  // namespace base
