// Text members of JSON documents that others wrote.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace base {

// The member of that name where it is a text; empty where it is not, where there is none, and where
// `object` is no object.
std::string text_of(const nlohmann::json& object, const char* name);
std::string text_of(const nlohmann::ordered_json& object, const char* name);

}  // namespace base
