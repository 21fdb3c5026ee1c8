// Structs as JSON: the bodies of the json and rest-json protocols, and a plain style that can show
// a whole struct of any protocol.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// kRequest and kResponse are the formats of the wire: body members with their wire names, and times
// in the model's format. kPlain is the format of logs, tests, and requests that a user wrote into a
// file: all members with the model's names, and times in ISO 8601.
enum class JsonStyle { kRequest, kResponse, kPlain };

// Writes JSON. A number that JSON cannot express becomes null; invalid UTF-8 becomes U+FFFD.
void append_json(std::string& out, const Shape& shape, const void* value, JsonStyle style);

// Reads JSON into a new object of a structure. A null member counts as missing. In a request, a
// member unknown to the model is refused, because the user's value would be lost. A response may
// have such members, because its service may be newer. A request may have members that the model
// marks as ignored; kPlain also refuses those.
//
// Throws Refusal:
// - kMalformed for invalid JSON, a repeated member, or nesting deeper than kDeepest
// - kUnsupported for a member that no handler reads (in requests) or that the struct lacks (kPlain)
// - kUnknown for a member that is not in the model (except in responses), with the known names as
//   `expected`
// - kType for a value of another type
void read_json(std::string_view text, const Shape& structure, void* object, JsonStyle style);
// The same, from the value's text.
void read_json_value(const nlohmann::json& json, const Shape& structure, void* object,
                     JsonStyle style);

}  // namespace api
