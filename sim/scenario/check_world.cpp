#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "sim/scenario/blocks.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool known_zone(const Scenario& s, const std::string& zone) {
  const auto& zones = s.cloud.availability_zones;
  return std::find(zones.begin(), zones.end(), zone) != zones.end();
}

using base::text_of;

std::vector<std::string> split_zones(const std::string& list) {
  std::vector<std::string> zones;
  std::string zone;
  for (const char c : list + ",") {
    if (c == ',') {
      if (!zone.empty()) zones.push_back(std::exchange(zone, {}));
    } else if (c != ' ') {
      zone += c;
    }
  }
  return zones;
}

// The pools of one LaunchSpecification of a fleet request; `place` names it in errors.
void check_launch_spec(const Scenario& s, const Json& spec, const std::string& place,
                       const Value& root) {
  const auto complain = [&](const std::string& key, const std::string& message) {
    root.errors().add(root.place(), place + "." + key, message);
  };
  const std::string type = text_of(spec, "InstanceType");
  if (!s.instance_types->contains(type)) {
    return complain("InstanceType",
                    fmt::format("found \"{}\", expected {}", type,
                                market::expected_instance_type(*s.instance_types, type)));
  }
  const auto placement = spec.is_object() ? spec.find("Placement") : spec.end();
  if (placement == spec.end()) return;
  for (const std::string& zone : split_zones(text_of(*placement, "AvailabilityZone"))) {
    if (!known_zone(s, zone)) {
      complain("Placement", fmt::format("found zone \"{}\", expected one of {}", zone,
                                        fmt::join(s.cloud.availability_zones, ", ")));
    } else if (!s.prices.pools.count({type, zone})) {
      complain("Placement", fmt::format("found the pool {}/{} without prices, expected pools that "
                                        "market.prices has",
                                        type, zone));
    }
  }
}

// Fleet requests are recognised by their LaunchSpecifications.
void check_fleet_request(const Scenario& s, const fs::path& file, const Value& root) {
  std::ifstream in(file);
  Json json = Json::parse(in, nullptr, false);
  if (json.is_discarded()) {
    return root.errors().add(root.place(), file.string(), "this is not valid JSON");
  }
  if (json.is_object() && json.contains("SpotFleetRequestConfig")) {
    json = Json(json["SpotFleetRequestConfig"]);
  }
  const auto specs = json.is_object() ? json.find("LaunchSpecifications") : json.end();
  if (specs == json.end() || !specs->is_array()) return;
  for (std::size_t i = 0; i < specs->size(); ++i) {
    const std::string place = fmt::format("{}: LaunchSpecifications[{}]", file.string(), i);
    check_launch_spec(s, (*specs)[i], place, root);
  }
}

void check_fleet_requests(const Scenario& s, const Value& root) {
  std::error_code ignored;
  if (s.operator_folder.empty() || !fs::is_directory(s.operator_folder, ignored)) return;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(s.operator_folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) check_fleet_request(s, file, root);
}

}  // namespace

void check_world(const Scenario& s, const Value& root) {
  if (s.operator_script.empty()) {
    root.errors().add(root.place(), "operator", "nothing", "a mapping with a script");
  }
  if (s.prices.pools.empty()) return;  // said already
  check_fleet_requests(s, root);
}

}  // namespace sim::run
