// Structs as JSON: the bodies of the json and rest-json protocols, and a plain style that shows a
// whole struct of any protocol.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// kRequest and kResponse: the body members with their wire names, times as the model says. kPlain:
// all members with the model's names, times in ISO 8601; for logs, tests, and a request that a user
// wrote into a file.
enum class JsonStyle { kRequest, kResponse, kPlain };

// A number that JSON cannot say is null, bytes that are no UTF-8 become U+FFFD.
void append_json(std::string& out, const Shape& shape, const void* value, JsonStyle style);

// Reads JSON into a new object of a structure. A member that is null is not given. A request that
// gives a member which the model does not know is refused, because a user's word would be lost; a
// response may hold such members, because its service may be newer. A request may give what the
// model marks as ignored; kPlain refuses that, too. Throws Refusal: kMalformed for no JSON, a
// member given twice or nesting deeper than kDeepest; kUnsupported for a member that no handler
// reads (in requests) or that the struct lacks (kPlain); kUnknown (but in responses), with the
// names that are known as `expected`; kType.
void read_json(std::string_view text, const Shape& structure, void* object, JsonStyle style);
// The same of its text.
void read_json_value(const nlohmann::json& json, const Shape& structure, void* object,
                     JsonStyle style);

}  // namespace api
