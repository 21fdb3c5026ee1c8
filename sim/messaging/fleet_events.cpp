// The events of spot fleets and EC2 fleets (EC2 User Guide, "Spot Fleet event types" and "EC2 Fleet
// event types"). Instant fleets have none.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "sim/messaging/aws_events.h"

namespace sim::messaging {
namespace {

// The end of the detail-type for each type of a history record.
constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
    {"fleetRequestChange", "State Change"},
    {"instanceChange", "Instance Change"},
    {"information", "Information"},
    {"error", "Error"}};

std::string sub_type(const cloud::Fleet& fleet, const std::string& of_spot_fleet) {
  constexpr std::string_view kCancelled = "cancelled";
  if (fleet.kind == cloud::FleetKind::kSpotFleet || !of_spot_fleet.starts_with(kCancelled))
    return of_spot_fleet;
  return "deleted" + of_spot_fleet.substr(kCancelled.size());
}

// The sub-type for a state of a fleet's spot request; empty for states without an event.
std::string_view request_sub_type(cloud::SpotRequestState state) {
  switch (state) {
    case cloud::SpotRequestState::kOpen:
      return "submitted";
    case cloud::SpotRequestState::kActive:
    case cloud::SpotRequestState::kCancelled:
    case cloud::SpotRequestState::kDisabled:
      return cloud::name(state);
    case cloud::SpotRequestState::kClosed:
    case cloud::SpotRequestState::kFailed:
      break;
  }
  return {};
}

}  // namespace

void AwsEvents::fleet_event(const cloud::Fleet& fleet, std::string_view kind, Json detail) {
  if (fleet.type == "instant") return;
  const bool spot_fleet = fleet.kind == cloud::FleetKind::kSpotFleet;
  put_({.source = spot_fleet ? "aws.ec2spotfleet" : "aws.ec2fleet",
        .detail_type = fmt::format("EC2 {} {}", spot_fleet ? "Spot Fleet" : "Fleet", kind),
        .resources = {arn("ec2", (spot_fleet ? "spot-fleet-request/" : "fleet/") + fleet.id.value)},
        .detail = std::move(detail)});
}

void AwsEvents::fleet_history(const cloud::Fleet& fleet) {
  const cloud::FleetHistoryRecord& record = fleet.history.back();
  const auto* const found =
      std::ranges::find(kKinds, record.event_type, [](const auto& row) { return row.first; });
  if (found == std::end(kKinds)) return;
  Json detail = Json::object();
  if (!record.instance.empty()) detail["instance-id"] = record.instance.value;
  if (!record.description.empty()) detail["description"] = record.description;
  detail["sub-type"] = sub_type(fleet, record.event_sub_type);
  fleet_event(fleet, found->second, std::move(detail));
}

void AwsEvents::request_of_fleet(const cloud::SpotRequest& request,
                                 std::optional<cloud::SpotRequestState> from) {
  const std::string_view change = request_sub_type(request.state);
  if (change.empty()) return;
  std::string description = "SpotInstanceRequestId " + request.id.value;
  if (from) description += fmt::format(", PreviousState: {}", cloud::name(*from));
  fleet_event(cloud_.fleet(request.fleet), "Spot Instance Request Change",
              json_object({{"spot-instance-request-id", request.id.value},
                           {"description", description},
                           {"sub-type", change}}));
}

}  // namespace sim::messaging
