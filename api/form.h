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

// Adds the parameters of a query string or body ("a=1&b=two%20words"). Throws Refusal kMalformed as
// percent_decode, for a parameter without a name, and for more than 2,000.
void parse_form(std::string_view encoded, Parameters& parameters);
// The first of that name; empty when there is none.
std::string_view find_parameter(const Parameters& parameters, std::string_view name);

// A request's parameters, in the order of the model.
Parameters form_of(const Shape& structure, const void* object, FormStyle style);
// The same, each as "&name=value".
void append_form(std::string& out, const Shape& structure, const void* object, FormStyle style);

// Reads into a new object. Ignores Action, Version, and the members that the model marks as
// ignored. Throws Refusal: kUnknown for an unknown name, kUnsupported for a member that no handler
// reads, kType, kMalformed for a repeated parameter.
void read_form(const Parameters& parameters, const Shape& structure, void* object, FormStyle style);

// A member's path as the parameters name it.
std::string form_child(const std::string& path, const Member& member);

}  // namespace api
