#include "orchestrator/job/fleet_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json/json_text.h"
#include "orchestrator/failure.h"
#include "orchestrator/job/dollars.h"
#include "orchestrator/job/user_data.h"

namespace spotrun {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kStrategies{
    "lowestPrice", "diversified", "capacityOptimized", kPrioritized, "priceCapacityOptimized"};

[[noreturn]] void bad_fleet(const std::string& file, const std::string& what) {
  throw Failure(ExitCode::kBadInput, file + ": " + what);
}

json parse(const std::string& text, const std::string& file) {
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    bad_fleet(file, std::string("not JSON: ") + error.what());
  }
}

// EC2's list of zones. An empty text leaves the choice to EC2.
void check_zones(const json& specification, const std::string& file, std::size_t i) {
  const auto zones = zones_of(specification);
  if (std::find(zones.begin(), zones.end(), "") == zones.end()) return;
  bad_fleet(file,
            fmt::format("/LaunchSpecifications/{}/Placement/AvailabilityZone: found {}, expected "
                        "zones such as \"us-west-2a, us-west-2b\"",
                        i, specification["Placement"]["AvailabilityZone"].dump()));
}

void check_launch_specifications(const json& config, const std::string& file) {
  const auto specifications = config.find("LaunchSpecifications");
  if (specifications == config.end() || !specifications->is_array() || specifications->empty()) {
    bad_fleet(file,
              "/LaunchSpecifications: found none, expected a list of launch specifications (launch "
              "templates carry their own user data and are not for `submit`)");
  }
  for (std::size_t i = 0; i < specifications->size(); ++i) {
    if (!(*specifications)[i].is_object())
      bad_fleet(file, fmt::format("/LaunchSpecifications/{}: expected an object", i));
    check_zones((*specifications)[i], file, i);
  }
}

void set_strategy(json& config, const std::string& strategy) {
  if (std::find(kStrategies.begin(), kStrategies.end(), strategy) == kStrategies.end())
    bad_fleet("--allocation-strategy",
              fmt::format("found \"{}\", expected {}", strategy, fmt::join(kStrategies, ", ")));
  config["AllocationStrategy"] = strategy;
}

using base::text_of;

// EC2's maximum prices are per unit of capacity.
std::string max_price_of(const json& specification, const Job& job, double share) {
  const double price =
      on_demand_price(job, text_of(specification, "InstanceType"), "--max-price: found a share");
  double weight = 1;
  if (const auto found = specification.find("WeightedCapacity");
      found != specification.end() && found->is_number())
    weight = found->get<double>();
  return format_dollars(share * price / weight);
}

void set_max_price(json& config, const std::string& max_price, const Job& job) {
  const bool is_share = max_price.ends_with('%');
  const auto amount =
      parse_dollars(std::string_view(max_price).substr(0, max_price.size() - (is_share ? 1 : 0)));
  if (!amount) {
    bad_fleet("--max-price",
              fmt::format("found \"{}\", expected US dollars an hour such as 0.50, or a "
                          "share of the on-demand price such as 40%",
                          max_price));
  }
  for (json& specification : config["LaunchSpecifications"]) {
    if (is_share)
      specification["SpotPrice"] = max_price_of(specification, job, *amount / 100);
    else
      specification.erase("SpotPrice");
  }
  if (is_share)
    config.erase("SpotPrice");
  else
    config["SpotPrice"] = format_dollars(*amount);
}

bool may_be_in(const json& specification, const std::string& zone) {
  const auto zones = zones_of(specification);
  return zones.empty() || std::find(zones.begin(), zones.end(), zone) != zones.end();
}

// RunInstances needs security groups by ID, and one subnet, which determines the zone.
void check_network(const json& specification, const std::string& file, std::size_t i) {
  const auto bad_member = [&](const std::string& member, const json& found, const char* expected) {
    bad_fleet(file, fmt::format("/LaunchSpecifications/{}/{}: found {}, expected {}", i, member,
                                found.dump(), expected));
  };
  if (const auto groups = specification.find("SecurityGroups"); groups != specification.end()) {
    if (!groups->is_array()) bad_member("SecurityGroups", *groups, "a list of groups");
    for (std::size_t j = 0; j < groups->size(); ++j) {
      const json& group = (*groups)[j];
      if (!group.is_object() || text_of(group, "GroupId").empty())
        bad_member(fmt::format("SecurityGroups/{}", j), group,
                   "a GroupId: an instance is not given a group by its name");
    }
  }
  if (const auto subnet = specification.find("SubnetId"); subnet != specification.end()) {
    const std::string id = text_of(specification, "SubnetId");
    if (id.empty() || id.find(',') != std::string::npos)
      bad_member("SubnetId", *subnet, "one subnet's ID");
    if (zones_of(specification).size() > 1)
      bad_member("SubnetId", *subnet, "none with several zones: a subnet is in one zone");
  }
}

}  // namespace

double on_demand_price(const Job& job, const std::string& type, const std::string& option) {
  const auto price = job.on_demand_price.find(type);
  if (price != job.on_demand_price.end()) return price->second;
  throw Failure(
      ExitCode::kBadInput,
      fmt::format("{}, but no /profiles/{}/on_demand_price in the job file", option, type));
}

std::vector<std::string> zones_of(const json& specification) {
  std::vector<std::string> zones(1);
  const auto placement = specification.find("Placement");
  if (placement == specification.end() || !placement->is_object()) return {};
  for (const char c : text_of(*placement, "AvailabilityZone")) {
    if (c == ',')
      zones.emplace_back();
    else if (c != ' ')
      zones.back() += c;
  }
  if (zones == std::vector<std::string>(1)) zones.clear();
  return zones;
}

json read_fleet(const std::string& text, const std::string& file, const Job& job,
                const FleetOptions& options) {
  json config = parse(text, file);
  if (!config.is_object()) bad_fleet(file, "/: found no object, expected a SpotFleetRequestConfig");
  if (config.contains("SpotFleetRequestConfig")) config = json(config["SpotFleetRequestConfig"]);
  check_launch_specifications(config, file);
  if (!options.allocation_strategy.empty()) set_strategy(config, options.allocation_strategy);
  if (!options.max_price.empty()) set_max_price(config, options.max_price, job);
  return config;
}

void check_on_demand(const json& fleet, const std::string& file) {
  constexpr std::array<std::string_view, 9> kCarried{
      "ImageId",        "InstanceType", "IamInstanceProfile", "KeyName",         "SubnetId",
      "SecurityGroups", "Placement",    "SpotPrice",          "WeightedCapacity"};
  const json& specifications = fleet.at("LaunchSpecifications");
  for (std::size_t i = 0; i < specifications.size(); ++i) {
    for (const auto& [key, value] : specifications[i].items()) {
      if (std::find(kCarried.begin(), kCarried.end(), key) == kCarried.end()) {
        bad_fleet(file,
                  fmt::format("/LaunchSpecifications/{}/{}: cannot be carried over to an on-demand "
                              "instance, expected only {}",
                              i, key, fmt::join(kCarried, ", ")));
      }
    }
    for (const char* required : {"ImageId", "InstanceType"}) {
      if (text_of(specifications[i], required).empty())
        bad_fleet(file, fmt::format("/LaunchSpecifications/{}/{}: found none, expected text", i,
                                    required));
    }
    check_network(specifications[i], file, i);
  }
}

aws::NewInstance instance_like(const json& specification, const Job& job, const std::string& zone) {
  aws::NewInstance instance{.image_id = text_of(specification, "ImageId"),
                            .instance_type = text_of(specification, "InstanceType"),
                            .user_data = user_data(job, "instance"),
                            .availability_zone = zone,
                            .key_name = text_of(specification, "KeyName"),
                            .subnet_id = text_of(specification, "SubnetId"),
                            .tags = {{"Name", job.name}}};
  if (const auto profile = specification.find("IamInstanceProfile");
      profile != specification.end() && profile->is_object()) {
    const std::string arn = text_of(*profile, "Arn");
    instance.iam_instance_profile = arn.empty() ? text_of(*profile, "Name") : arn;
  }
  if (const auto groups = specification.find("SecurityGroups");
      groups != specification.end() && groups->is_array()) {
    for (const json& group : *groups)
      if (group.is_object()) instance.security_group_ids.push_back(text_of(group, "GroupId"));
  }
  return instance;
}

aws::NewInstance on_demand_instance(const json& fleet, const Job& job, const std::string& zone) {
  const json& specifications = fleet.at("LaunchSpecifications");
  auto chosen = std::find_if(specifications.begin(), specifications.end(),
                             [&](const json& s) { return may_be_in(s, zone); });
  const bool here = chosen != specifications.end();
  if (!here) chosen = specifications.begin();
  const auto zones = zones_of(*chosen);
  // A subnet determines its zone.
  const bool by_subnet = zones.empty() && !text_of(*chosen, "SubnetId").empty();
  return instance_like(*chosen, job, by_subnet ? "" : here ? zone : zones.front());
}

}  // namespace spotrun
