#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

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

// Checks the fleet requests beside a scenario, and says of a pool that several name once what is
// wrong with it: where the scenario says which pools there are.
class FleetRequests {
 public:
  FleetRequests(const Scenario& s, const Value& root)
      : s_(s),
        files_(*root.find("operator")->find("files")),
        zones_(root.find("availability_zones")),
        prices_(*root.find("market")->find("prices")) {}

  void check(const fs::path& file);

 private:
  void check_specification(const Json& spec, const std::string& place);
  void check_pool(const market::Pool& pool, const std::string& place);
  void complain(const std::string& place, const std::string& message) const {
    files_.errors().add(files_.place(), place, message);
  }

  const Scenario& s_;
  Value files_;
  std::optional<Value> zones_;
  Value prices_;
  std::set<market::Pool> checked_;
};

void FleetRequests::check_pool(const market::Pool& pool, const std::string& place) {
  if (!checked_.insert(pool).second) return;
  if (zones_ && !known_zone(s_, pool.availability_zone)) {
    zones_->reject(fmt::format("found {}, expected {} too, which {} names",
                               fmt::join(s_.cloud.availability_zones, ", "), pool.availability_zone,
                               place));
  } else if (!s_.prices.pools.contains(pool)) {
    prices_.reject(fmt::format("found no prices of {}, which {} names, expected some; there are {}",
                               to_string(pool), place, others_than(pool, s_)));
  }
}

void FleetRequests::check_specification(const Json& spec, const std::string& place) {
  const std::string type = text_of(spec, "InstanceType");
  if (!s_.instance_types->contains(type)) {
    return complain(place + ".InstanceType",
                    fmt::format("found \"{}\", expected {}", type,
                                market::expected_instance_type(*s_.instance_types, type)));
  }
  const auto placement = spec.is_object() ? spec.find("Placement") : spec.end();
  if (placement == spec.end()) return;
  for (const std::string& zone : split_zones(text_of(*placement, "AvailabilityZone")))
    check_pool({type, zone}, place);
}

// They are recognised by their LaunchSpecifications.
void FleetRequests::check(const fs::path& file) {
  std::ifstream in(file);
  Json json = Json::parse(in, nullptr, false);
  if (json.is_discarded()) return complain(file.string(), "this is not valid JSON");
  if (json.is_object() && json.contains("SpotFleetRequestConfig")) {
    json = Json(json["SpotFleetRequestConfig"]);
  }
  const auto specs = json.is_object() ? json.find("LaunchSpecifications") : json.end();
  if (specs == json.end() || !specs->is_array()) return;
  for (std::size_t i = 0; i < specs->size(); ++i)
    check_specification((*specs)[i], fmt::format("{}: LaunchSpecifications[{}]", file.string(), i));
}

}  // namespace

void check_world(const Scenario& s, const Value& root) {
  std::error_code ignored;
  if (s.operator_folder.empty() || !fs::is_directory(s.operator_folder, ignored)) return;
  if (!prices_are_known(s, root.errors()) || root.errors().about("availability_zones")) return;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(s.operator_folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  FleetRequests requests(s, root);
  for (const fs::path& file : files) requests.check(file);
}

}  // namespace sim::run
