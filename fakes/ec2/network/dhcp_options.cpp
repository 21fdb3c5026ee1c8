// DHCP options. They are only shown: guests resolve names as without them.
#include <algorithm>
#include <iterator>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::vpc::DhcpOptions;
using Values = std::vector<std::string>;

// EC2 API reference, CreateDhcpOptions, without IPv6.
constexpr std::string_view kDhcpKeys[] = {"domain-name-servers", "domain-name", "ntp-servers",
                                          "netbios-name-servers", "netbios-node-type"};

constexpr FilterRow<DhcpOptions> kDhcpFilters[] = {
    {"dhcp-options-id", [](const DhcpOptions& o, Backend&) { return Values{o.id}; }},
    {"key",
     [](const DhcpOptions& o, Backend&) {
       Values keys;
       for (const auto& [key, values] : o.settings) keys.push_back(key);
       return keys;
     }},
    {"value",
     [](const DhcpOptions& o, Backend&) {
       Values all;
       for (const auto& [key, values] : o.settings)
         std::ranges::copy(values, std::back_inserter(all));
       return all;
     }},
    {"owner-id",
     [](const DhcpOptions&, Backend& w) { return Values{w.cloud.config().account_id}; }},
};

aws::DhcpOptions shown(const Call& call, const DhcpOptions& options) {
  aws::DhcpOptions out{.dhcp_options_id = options.id,
                       .owner_id = call.cloud.config().account_id,
                       .tags = shown_tags(options.tags)};
  for (const auto& [key, values] : options.settings) {
    aws::DhcpConfiguration setting{.key = key};
    for (const std::string& value : values) setting.values.push_back({.value = value});
    out.dhcp_configurations.push_back(std::move(setting));
  }
  return out;
}

DhcpOptions read_options(const aws::CreateDhcpOptionsRequest& request) {
  DhcpOptions options;
  for (const auto& setting : request.dhcp_configurations) {
    const std::string& key = required(setting.key, "dhcpConfiguration.key");
    if (std::ranges::find(kDhcpKeys, key) == std::end(kDhcpKeys))
      throw invalid("option-name", key, "Unknown DHCP option");
    check_given(setting.values, "dhcpConfiguration.value");
    options.settings.emplace_back(key, setting.values);
  }
  if (options.settings.empty()) throw missing("dhcpConfiguration");
  return options;
}

}  // namespace

aws::CreateDhcpOptionsResult create_dhcp_options(Call& call,
                                                 const aws::CreateDhcpOptionsRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "dhcp-options");
  const DhcpOptions& made = call.cloud.network().create_dhcp_options(read_options(request));
  tag_new(call, made.id, tags);
  return {.dhcp_options = shown(call, made)};
}

aws::DescribeDhcpOptionsResult describe_dhcp_options(
    Call& call, const aws::DescribeDhcpOptionsRequest& request) {
  const Filters<DhcpOptions> filters(request.filters, kDhcpFilters, resource_tags<DhcpOptions>);
  const Page page(request, {.of = "dhcp options", .low = 5, .high = 1000});
  const auto& options = call.cloud.network().vpcs.dhcp_options;
  auto found = filters.of(options.all(), "dhcp-options-id", call.backend, request.dhcp_options_ids,
                          [&](const auto& id) -> const DhcpOptions& { return options.find(id); });
  aws::DescribeDhcpOptionsResult response{.next_token = page.cut(found)};
  response.dhcp_options.give();
  for (const DhcpOptions* one : found) response.dhcp_options.push_back(shown(call, *one));
  return response;
}

op::AssociateDhcpOptions::Response associate_dhcp_options(
    Call& call, const aws::AssociateDhcpOptionsRequest& request) {
  call.cloud.network().vpcs.associate_dhcp_options(
      required(request.vpc_id, "vpcId"), required(request.dhcp_options_id, "dhcpOptionsId"));
  return {};
}

op::DeleteDhcpOptions::Response delete_dhcp_options(Call& call,
                                                    const aws::DeleteDhcpOptionsRequest& request) {
  call.cloud.network().vpcs.delete_dhcp_options(required(request.dhcp_options_id, "dhcpOptionsId"));
  return {};
}

}  // namespace fakes::ec2
