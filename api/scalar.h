// Scalars as text: in forms, XML, headers and query strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

// "2019-11-05T10:00:00.000Z", "Tue, 05 Nov 2019 10:00:00 GMT", or seconds since 1970, with three
// digits of a fraction unless it is 0.
void append_time(std::string& out, Timestamp time, TimeFormat format);
// Any of the three; empty for another text.
std::optional<Timestamp> read_time(std::string_view text);

// The shortest text that reads back as this number: "1.0", "0.25".
void append_number(std::string& out, double value);

// A value of a scalar type, blobs in base64.
void append_scalar(std::string& out, Type type, const void* value, TimeFormat time);
// Reads the text into a value of the type. Throws Refusal kType, with the member's name in `where`.
void read_scalar(Type type, std::string_view text, void* value, std::string_view where);

}  // namespace api
