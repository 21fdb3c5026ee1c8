// Reads JSON documents from outside this program, and their text members.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace base {

// The parsed document. It is discarded (is_discarded()) if the text is no JSON, or is nested deeper
// than `deepest`: copying and writing a deep document recurses and would overflow the stack.
nlohmann::ordered_json parse_json(std::string_view text, int deepest);

// The text of the member with that name; empty if it is no text or does not exist, or if `object`
// is no object.
std::string text_of(const nlohmann::json& object, const char* name);
std::string text_of(const nlohmann::ordered_json& object, const char* name);

}  // namespace base
