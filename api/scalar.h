// Scalars as text: in forms, XML, headers and query strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// Writes a time as "2019-11-05T10:00:00.000Z", as "Tue, 05 Nov 2019 10:00:00 GMT", or as seconds
// since 1970. The seconds have three decimals unless the fraction is 0.
void append_time(std::string& out, Timestamp time, TimeFormat format);
// Parses any of the three formats. Empty for another text.
std::optional<Timestamp> read_time(std::string_view text);

// The shortest text that gives the same number when read: "1.0", "0.25".
void append_number(std::string& out, double value);

// Writes a value of a scalar type. Blobs are written in base64.
void append_scalar(std::string& out, Type type, const void* value, TimeFormat time);
// Reads the text into a value of the type. Throws Refusal kType, with the member's name in `where`.
void read_scalar(Type type, std::string_view text, void* value, std::string_view where);

}  // namespace api
