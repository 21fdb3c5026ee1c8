#include "orchestrator/acquire/launch_templates.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "orchestrator/failure.h"
#include "orchestrator/job/fleet_file.h"

namespace spotrun {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestJobName = 80;

// The members that launch specifications and launch templates have in common.
constexpr std::array<std::string_view, 10> kSame{
    "ImageId",           "InstanceType",       "KeyName",    "IamInstanceProfile",
    "UserData",          "EbsOptimized",       "Monitoring", "NetworkInterfaces",
    "TagSpecifications", "BlockDeviceMappings"};
// The members that become overrides.
constexpr std::array<std::string_view, 4> kOverrides{"Placement", "SubnetId", "SpotPrice",
                                                     "WeightedCapacity"};

template <class List>
bool has_part(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

json template_of(const json& specification, const std::string& place) {
  json data = json::object();
  for (const auto& [key, value] : specification.items()) {
    if (has_part(kSame, key)) {
      data[key] = value;
    } else if (key == "SecurityGroups" && value.is_array()) {
      for (const json& group : value) {
        const bool by_id = group.is_object() && group.contains("GroupId");
        if (!by_id)
          throw Failure(ExitCode::kBadInput,
                        place +
                            "/SecurityGroups: found a group without GroupId, which a launch "
                            "template needs");
        data["SecurityGroupIds"].push_back(group["GroupId"]);
      }
    } else if (!has_part(kOverrides, key)) {
      throw Failure(ExitCode::kBadInput,
                    fmt::format("{}/{}: cannot be said by a launch template, which "
                                "capacityOptimizedPrioritized needs",
                                place, key));
    }
  }
  return data;
}

// Makes one override for each zone of the specification. `priority` is that of the first one.
json overrides_of(const json& specification, std::size_t priority) {
  json override = {{"Priority", priority}};
  for (const char* key : {"SubnetId", "SpotPrice", "WeightedCapacity"}) {
    if (specification.contains(key)) override[key] = specification[key];
  }
  json overrides = json::array();
  for (const std::string& zone : zones_of(specification)) {
    override["AvailabilityZone"] = zone;
    override["Priority"] = priority++;
    overrides.push_back(override);
  }
  if (overrides.empty()) overrides.push_back(override);
  return overrides;
}

std::string digest(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), bytes.data(), &size, EVP_sha256(), nullptr);
  std::string digits;
  for (std::size_t i = 0; i < 8; ++i) digits += fmt::format("{:02x}", bytes[i]);
  return digits;
}

std::string template_name(const Job& job, const json& data) {
  std::string name = job.name.substr(0, kLongestJobName);
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !plain(c); }, '-');
  return fmt::format("spotrun-{}-{}", name, digest(data.dump()));
}

}  // namespace

bool needs_launch_templates(const json& fleet) {
  const auto strategy = fleet.find("AllocationStrategy");
  return strategy != fleet.end() && *strategy == std::string(kPrioritized);
}

json with_launch_templates(const Context& context, const Job& job, json fleet,
                           const std::string& fleet_file) {
  const json specifications = fleet.at("LaunchSpecifications");
  std::vector<json> templates;
  for (std::size_t i = 0; i < specifications.size(); ++i)
    templates.push_back(
        template_of(specifications[i], fmt::format("{}: /LaunchSpecifications/{}", fleet_file, i)));
  fleet.erase("LaunchSpecifications");
  std::size_t priority = 0;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    const std::string name = template_name(job, templates[i]);
    if (context.ec2.create_launch_template(name, templates[i]))
      context.log.say("launch template " + name);
    const json overrides = overrides_of(specifications[i], priority);
    priority += overrides.size();
    fleet["LaunchTemplateConfigs"].push_back(
        {{"LaunchTemplateSpecification", {{"LaunchTemplateName", name}, {"Version", "1"}}},
         {"Overrides", overrides}});
  }
  return fleet;
}

}  // namespace spotrun
