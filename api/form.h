// Requests as form parameters: the ec2 and the query protocol.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/table.h"

namespace api {

// Lists are Names.1 in EC2's protocol, and Names.member.1 in the query protocol.
enum class FormStyle { kEc2, kQuery };

struct Parameter {
  std::string name, value;  // decoded
  auto operator<=>(const Parameter&) const = default;
};
using Parameters = std::vector<Parameter>;

// Parses the parameters of a query string or body ("a=1&b=two%20words") and adds them. Throws
// Refusal kMalformed as percent_decode does, for a parameter without a name, and for more than
// 2,000.
void parse_form(std::string_view encoded, Parameters& parameters);
// The first parameter of that name. Empty if there is none.
std::string_view find_parameter(const Parameters& parameters, std::string_view name);

// Returns a request's parameters, in the order of the model.
Parameters form_of(const Shape& structure, const void* object, FormStyle style);
// The same, each as "&name=value".
void append_form(std::string& out, const Shape& structure, const void* object, FormStyle style);

// Reads parameters into a new object. Action, Version, and the members that the model marks as
// ignored are ignored. Throws Refusal:
// - kUnknown for an unknown name
// - kUnsupported for a member that no handler reads
// - kType for a value of another type
// - kMalformed for a repeated parameter
void read_form(const Parameters& parameters, const Shape& structure, void* object, FormStyle style);

// The name of a member in the parameters.
std::string form_child(const std::string& path, const Member& member);

}  // namespace api
