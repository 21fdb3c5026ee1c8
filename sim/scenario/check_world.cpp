#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files/whole_file.h"
#include "base/json/json_text.h"
#include "sim/scenario/blocks.h"

namespace sim::scenario {
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

// Checks the fleet requests beside a scenario. If several requests name a wrong pool, it reports
// the pool once.
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
  if (std::ranges::any_of(s_.further_regions,
                          [&](const Region& region) { return region.prices.pools.contains(pool); }))
    return;
  if (zones_ && !known_zone(s_, pool.availability_zone)) {
    zones_->reject(fmt::format("found {}, expected {} too, which {} names",
                               fmt::join(s_.cloud.availability_zones, ", "), pool.availability_zone,
                               place));
  } else if (!s_.prices.pools.contains(pool)) {
    prices_.reject(
        fmt::format("found no prices of {}, which {} names, expected prices; there are {}",
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

// nlohmann's message without the place at its beginning: "parse error at line 3, column 7: …".
std::string sentence_of(const Json::parse_error& error) {
  const std::string text = error.what();
  const std::size_t column = text.find("column "), colon = text.find(": ", column);
  return column == text.npos || colon == text.npos ? text : text.substr(colon + 2);
}

// The position of a byte, counted from 1. The parser counts bytes read.
FilePosition place_in(const std::string& text, std::size_t read) {
  const std::string before = text.substr(0, read == 0 ? 0 : read - 1);
  const std::size_t line_end = before.rfind('\n');
  return {static_cast<int>(std::ranges::count(before, '\n')) + 1,
          static_cast<int>(before.size() - (line_end == before.npos ? 0 : line_end + 1)) + 1};
}

// A fleet request is recognised by its LaunchSpecifications.
void FleetRequests::check(const fs::path& file) {
  const std::string text = read_input(file);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const FilePosition place = place_in(text, error.byte);
    return complain(fmt::format("{}:{}:{}", file.string(), place.line, place.column),
                    "found no JSON: " + sentence_of(error));
  }
  if (json.is_object() && json.contains("SpotFleetRequestConfig")) {
    json = Json(json["SpotFleetRequestConfig"]);
  }
  const auto specs = json.is_object() ? json.find("LaunchSpecifications") : json.end();
  if (specs == json.end() || !specs->is_array()) return;
  for (std::size_t i = 0; i < specs->size(); ++i)
    check_specification((*specs)[i], fmt::format("{}: LaunchSpecifications[{}]", file.string(), i));
}

// The texts in which the operator may name programs: the script, and files beside it that are not
// JSON.
std::string operators_texts(const Scenario& s) {
  constexpr std::uintmax_t kLongest = 1 << 20;
  std::string out = s.operator_script;
  for (const auto& entry : fs::directory_iterator(s.operator_folder))
    if (entry.is_regular_file() && entry.path().extension() != ".json" &&
        entry.file_size() <= kLongest)
      out += "\n" + base::read_file(entry.path()).value_or("");
  return out;
}

}  // namespace

// Only files that these texts name are checked, because others are not submitted.
void check_world(const Scenario& s, const Value& root) {
  std::error_code ignored;
  if (s.operator_folder.empty() || !fs::is_directory(s.operator_folder, ignored)) return;
  if (!prices_are_known(s, root.errors()) || root.errors().about("availability_zones")) return;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(s.operator_folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) return;
  const std::string texts = operators_texts(s);
  const bool all = texts.find("*.json") != std::string::npos;
  FleetRequests requests(s, root);
  for (const fs::path& file : files)
    if (all || texts.find(file.filename().string()) != std::string::npos) requests.check(file);
}

}  // namespace sim::scenario
