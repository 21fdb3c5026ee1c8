// The services of the price list, and the attributes of their products.
#include <fmt/format.h>

#include <set>

#include "fakes/pricing/actions.h"
#include "fakes/pricing/price_list.h"
#include "fakes/pricing/requests.h"

namespace fakes::pricing {
namespace {

using Values = std::map<std::string, std::set<std::string>>;  // by attribute

Values values_of(const Call& call, std::string_view service) {
  Values values;
  for (const Product& product :
       products(call.backend, service, [](auto, const auto&) { return true; }))
    for (const auto& [name, value] : filterable(product)) values[name].insert(value);
  return values;
}

}  // namespace

op::DescribeServices::Response describe_services(Call& call,
                                                 const op::DescribeServices::Request& request) {
  check_format(request.format_version);
  if (request.service_code) check_service(*request.service_code);
  std::vector<std::string> codes;
  for (const std::string_view code : kServiceCodes)
    if (request.service_code.value_or(std::string(code)) == code) codes.emplace_back(code);
  op::DescribeServices::Response response{.format_version = "aws_v1"};
  response.services.give();
  response.next_token = page(request, codes, [&](const std::string& code) {
    api::pricing::Service shown{.service_code = code};
    for (const auto& [name, values] : values_of(call, code)) shown.attribute_names.push_back(name);
    response.services.push_back(std::move(shown));
  });
  return response;
}

op::GetAttributeValues::Response get_attribute_values(
    Call& call, const op::GetAttributeValues::Request& request) {
  check_service(*request.service_code);
  const Values all = values_of(call, *request.service_code);
  const auto found = all.find(*request.attribute_name);
  if (found == all.end())
    throw ApiError("NotFoundException",
                   fmt::format("The attribute {} does not exist in {}.", *request.attribute_name,
                               *request.service_code));
  const std::vector<std::string> values(found->second.begin(), found->second.end());
  op::GetAttributeValues::Response response;
  response.attribute_values.give();
  response.next_token = page(request, values, [&](const std::string& value) {
    response.attribute_values.push_back({.value = value});
  });
  return response;
}

}  // namespace fakes::pricing
