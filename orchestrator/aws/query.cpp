#include "orchestrator/aws/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace spotrun::aws {
namespace {

struct WireName {
  std::string_view
      inside;  // the member whose value (or list item) holds `member`; "": the whole request's
  std::string_view member, wire;
};

// Where the name on the wire is not the member's own, for what a SpotFleetRequestConfig and a
// RequestLaunchTemplateData can contain.
constexpr WireName kWireNames[] = {
    {"", "TagSpecifications", "TagSpecification"},
    {"", "SecurityGroupIds", "SecurityGroupId"},
    {"", "BlockDeviceMappings", "BlockDeviceMapping"},
    {"", "NetworkInterfaces", "NetworkInterface"},
    {"TagSpecifications", "Tags", "Tag"},
    {"LaunchSpecifications", "SecurityGroups", "GroupSet"},
    {"LaunchSpecifications", "BlockDeviceMappings", "BlockDeviceMapping"},
    {"LaunchSpecifications", "NetworkInterfaces", "NetworkInterfaceSet"},
    {"LaunchSpecifications", "TagSpecifications", "TagSpecificationSet"},
    {"NetworkInterfaces", "Groups", "SecurityGroupId"},
    {"NetworkInterfaces", "Ipv4Prefixes", "Ipv4Prefix"},
    {"NetworkInterfaces", "Ipv6Prefixes", "Ipv6Prefix"},
    {"InstanceRequirements", "CpuManufacturers", "CpuManufacturerSet"},
    {"InstanceRequirements", "ExcludedInstanceTypes", "ExcludedInstanceTypeSet"},
    {"InstanceRequirements", "AllowedInstanceTypes", "AllowedInstanceTypeSet"},
    {"InstanceRequirements", "InstanceGenerations", "InstanceGenerationSet"},
    {"InstanceRequirements", "LocalStorageTypes", "LocalStorageTypeSet"},
    {"InstanceRequirements", "AcceleratorTypes", "AcceleratorTypeSet"},
    {"InstanceRequirements", "AcceleratorManufacturers", "AcceleratorManufacturerSet"},
    {"InstanceRequirements", "AcceleratorNames", "AcceleratorNameSet"},
};

std::string wire_name(std::string_view inside, const std::string& member) {
  for (const auto& row : kWireNames) {
    if (row.inside == inside && row.member == member) return std::string(row.wire);
  }
  return member;
}

// `inside` is the member that `value` (or the list that it is an item of) is the value of.
void flatten_inside(const nlohmann::json& value, std::string_view inside, const std::string& prefix,
                    Parameters& parameters) {
  switch (value.type()) {
    case nlohmann::json::value_t::object:
      for (const auto& [member, below] : value.items()) {
        flatten_inside(below, member, prefix + "." + wire_name(inside, member), parameters);
      }
      return;
    case nlohmann::json::value_t::array:
      for (std::size_t i = 0; i < value.size(); ++i) {
        flatten_inside(value[i], inside, fmt::format("{}.{}", prefix, i + 1), parameters);
      }
      return;
    case nlohmann::json::value_t::string:
      parameters.emplace_back(prefix, value.get<std::string>());
      return;
    case nlohmann::json::value_t::boolean:
    case nlohmann::json::value_t::number_integer:
    case nlohmann::json::value_t::number_unsigned:
    case nlohmann::json::value_t::number_float:
      parameters.emplace_back(prefix, value.dump());
      return;
    default:
      throw std::invalid_argument(prefix + ": null is no value of the EC2 Query protocol");
  }
}

// RFC 3986, section 2.3.
constexpr auto kUnreserved = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789-_.~")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}();
bool is_unreserved(char c) { return kUnreserved[static_cast<unsigned char>(c)]; }

}  // namespace

void flatten(const nlohmann::json& value, const std::string& prefix, Parameters& parameters) {
  flatten_inside(value, "", prefix, parameters);
}

std::string form_encode(const Parameters& parameters) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string form;
  const auto append = [&](std::string_view text) {
    for (auto at = text.begin(); at != text.end(); ++at) {
      const auto coded = std::find_if_not(at, text.end(), is_unreserved);
      form.append(at, coded);
      if (coded == text.end()) return;
      at = coded;
      const auto byte = static_cast<unsigned char>(*at);
      form += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  };
  for (const auto& [name, value] : parameters) {
    if (!form.empty()) form += '&';
    append(name);
    form += '=';
    append(value);
  }
  return form;
}

}  // namespace spotrun::aws
