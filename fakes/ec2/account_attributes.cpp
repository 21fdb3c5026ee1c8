// DescribeAccountAttributes (EC2 API reference). Limits are AWS's defaults, which this simulated
// AWS does not enforce.
#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

struct AccountAttributeRow {
  std::string_view name;
  std::string (*value)(const Call&);
};

constexpr AccountAttributeRow kAccountAttributes[] = {
    {"supported-platforms", [](const Call&) -> std::string { return "VPC"; }},
    {"default-vpc",
     [](const Call& call) -> std::string {
       const auto* const vpc = call.cloud.network().vpcs.default_vpc();
       return vpc ? vpc->id : "none";
     }},
    {"max-instances", [](const Call&) -> std::string { return "20"; }},
    {"vpc-max-security-groups-per-interface", [](const Call&) -> std::string { return "5"; }},
    {"max-elastic-ips", [](const Call&) -> std::string { return "5"; }},
    {"vpc-max-elastic-ips", [](const Call&) -> std::string { return "5"; }},
};

}  // namespace

op::DescribeAccountAttributes::Response describe_account_attributes(
    Call& call, const op::DescribeAccountAttributes::Request& request) {
  const auto& names = request.attribute_names;
  for (const std::string& name : names)
    if (std::ranges::find(kAccountAttributes, name, &AccountAttributeRow::name) ==
        std::end(kAccountAttributes))
      throw invalid("AttributeName", name, "Expected an attribute of an account.");
  op::DescribeAccountAttributes::Response response;
  response.account_attributes.give();
  for (const AccountAttributeRow& attribute : kAccountAttributes) {
    if (!names.empty() && std::ranges::find(names, attribute.name) == names.end()) continue;
    aws::AccountAttribute out{.attribute_name = std::string(attribute.name)};
    out.attribute_values.push_back({.attribute_value = attribute.value(call)});
    response.account_attributes.push_back(std::move(out));
  }
  return response;
}

}  // namespace fakes::ec2
