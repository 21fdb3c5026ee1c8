#include "fakes/ec2/spot/fleet_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/ids.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/launch_templates.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {

using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::FleetState;
using sim::cloud::LaunchSpec;

template <class Named>
LaunchSpec read_fleet_template(const Call& call, const FleetWords& words, const Named& named) {
  const auto& launch_template =
      find_launch_template(call, named.launch_template_id, named.launch_template_name);
  const std::string& number = required(named.version, "LaunchTemplateSpecification.Version");
  const auto& version = call.cloud.launch_template_version(launch_template.id, number);
  if (given_data(version).instance_market_options)
    throw ApiError(std::string(words.invalid_config),
                   "The launch template " + launch_template.id.value +
                       " has InstanceMarketOptions, which " + std::string(words.a_fleet) +
                       " sets itself.");
  LaunchSpec spec = version.data;
  check_groups(spec);
  spec.launch_template = launch_template.id;
  spec.launch_template_version = number;
  return spec;
}

template LaunchSpec read_fleet_template(const Call&, const FleetWords&,
                                        const aws::FleetLaunchTemplateSpecification&);
template LaunchSpec read_fleet_template(const Call&, const FleetWords&,
                                        const aws::FleetLaunchTemplateSpecificationRequest&);

void complete_fleet_launch(const Call& call, const FleetWords& words, LaunchSpec& spec) {
  if (spec.image_id.empty())
    throw ApiError(std::string(words.invalid_config),
                   "The launch template " + spec.launch_template.value + " has no ImageId, which " +
                       std::string(words.a_fleet) + " needs.");
  check_no_parameter(spec.image_id);
  check_instance_profile(call, spec.iam_instance_profile);
  fill_in_defaults(spec);
}

int read_pools(const FleetWords& words, const api::Opt<std::int64_t>& given, std::string_view path,
               sim::cloud::AllocationStrategy strategy) {
  constexpr int kMost = 10'000;  // as many as the most units
  check_range(given, path, 1, kMost);
  const auto pools = static_cast<int>(given.value_or(1));
  if (pools > 1 && strategy != sim::cloud::AllocationStrategy::kLowestPrice)
    throw ApiError(std::string(words.invalid_config),
                   fmt::format("{} is {}, but only the strategy of the lowest price spreads over a "
                               "number of pools.",
                               path, pools));
  return pools;
}

double read_on_demand_target(const api::Opt<std::int64_t>& given, std::string_view path,
                             double target_capacity) {
  check_range(given, path, 0, static_cast<std::int64_t>(target_capacity));
  return static_cast<double>(given.value_or(0));
}

std::optional<sim::cloud::CapacityRebalance> checked_rebalance(
    const FleetWords& words, const std::string& strategy,
    const api::Opt<std::int64_t>& delay_seconds, const std::string& type) {
  const auto refuse = [&](const std::string& why) {
    throw ApiError(std::string(words.invalid_config), "CapacityRebalance: " + why);
  };
  if (type != "maintain") refuse("only a fleet of type maintain can have it, not " + type + ".");
  if (strategy == "launch") {
    if (delay_seconds) refuse("TerminationDelay is not valid with launch.");
    return sim::cloud::CapacityRebalance{};
  }
  if (!delay_seconds || *delay_seconds < 120 || *delay_seconds > 7200)
    refuse("launch-before-terminate needs a TerminationDelay from 120 to 7200 seconds.");
  return sim::cloud::CapacityRebalance{.termination_delay = std::chrono::seconds{*delay_seconds}};
}

const char* activity_of(const Fleet& fleet) {
  if (fleet.state == FleetState::kCancelledTerminating) return "pending_termination";
  if (fleet.state == FleetState::kFailed || fleet.stuck || !fleet.errors.empty()) return "error";
  if (fleet.excess > 0) return "pending_termination";
  return fleet.fulfilled_capacity >= fleet.target_capacity ? "fulfilled" : "pending_fulfillment";
}

void check_validity(const Call& call, const FleetWords& words, const Fleet& fleet) {
  const sim::Time from = std::max(fleet.valid_from.value_or(call.now), call.now);
  if (fleet.type == "instant" && from > call.now)
    throw unsupported("ValidFrom in the future for an instant fleet");
  if (fleet.valid_until && *fleet.valid_until <= from)
    throw ApiError(std::string(words.invalid_config),
                   "ValidUntil must be in the future, and after ValidFrom.");
}

void expire_at_end(const Call& call, const sim::cloud::FleetId& id) {
  const auto until = call.cloud.fleet(id).valid_until;
  if (!until) return;
  call.backend.simulation.at(*until, [&cloud = call.cloud, id] { cloud.expire_spot_fleet(id); });
}

api::Opt<std::string> shown_price(const std::optional<sim::market::Usd>& price) {
  if (!price) return {};
  std::string text = sim::market::format_usd(*price);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace fakes::ec2
