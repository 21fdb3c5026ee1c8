// Spot instance requests and what they may be placed in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cloud/parts/state.h"
#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

constexpr double kHighestPrice = 9e18;  // nanodollars: what an int64 can hold

// EC2 user guide, "Get the status of a Spot Instance request", in short; empty for a code that is
// not in it.
std::string status_message(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> kMessages[] = {
      {"pending-evaluation", "Your Spot request has been submitted for review."},
      {"pending-fulfillment", "Your Spot request is pending fulfillment."},
      {"fulfilled", "Your Spot request is fulfilled."},
      {"capacity-not-available", "There is no Spot capacity available that matches your request."},
      {"bad-parameters", "One or more parameters for your Spot request are not valid."},
      {"canceled-before-fulfillment", "Your Spot request was canceled before it was fulfilled."},
      {"request-canceled-and-instance-running",
       "Your Spot request is canceled, but your instance is still running."},
      {"marked-for-termination", "Your Spot Instance is marked for termination."},
      {"instance-terminated-by-user", "Your Spot Instance was terminated by user."},
      {"instance-terminated-no-capacity",
       "Your Spot Instance was terminated because there is no Spot capacity available."},
      {"instance-terminated-by-price",
       "Your Spot Instance was terminated because your maximum price was lower than the Spot "
       "price."},
      {"instance-terminated-by-experiment", "Your Spot Instance was terminated by an experiment."},
  };
  for (const auto& [known, message] : kMessages)
    if (known == code) return std::string{message};
  return {};
}

}  // namespace

Usd Cloud::State::max_price(const LaunchSpec& spec) const {
  // SpotPrice is per unit hour (EC2 API reference, SpotFleetLaunchSpecification).
  if (spec.max_price) {
    const double nano = static_cast<double>(spec.max_price->nano) * spec.weighted_capacity;
    return {static_cast<std::int64_t>(std::llround(std::min(nano, kHighestPrice)))};
  }
  const auto on_demand = market.on_demand_price(spec.instance_type);
  SIM_CHECK(on_demand.has_value());
  return *on_demand;
}

int Cloud::State::free_capacity(const Pool& pool) const {
  if (!market.offers(pool)) return 0;
  const int slots = market.capacity(pool);
  if (slots == market::Market::kUnlimited) return slots;
  const auto used = spot_in_use.find(pool);
  return std::max(0, slots - (used == spot_in_use.end() ? 0 : used->second));
}

void Cloud::State::set_status(SpotRequest& request, const std::string& code,
                              const std::string& message) {
  if (request.status_code == code) return;
  request.status_code = code;
  request.status_message = message.empty() ? status_message(code) : message;
  request.status_updated_at = now();
  tell(&Observer::spot_request_status, request);
}

SpotRequest& Cloud::State::create_spot_request(const LaunchSpec& spec, const std::string& type,
                                               const FleetId& fleet) {
  const SpotRequestId id = ids.spot_request();
  SpotRequest& request = spot_requests[id];
  request.id = id;
  request.spec = spec;
  request.created_at = now();
  request.type = type;
  request.fleet = fleet;
  request.tags = spec.request_tags;
  if (!fleet.empty()) request.tags["aws:ec2spot:fleet-request-id"] = fleet.value;

  tell_new(request);
  tagging.announce(id.value, request.tags);
  set_status(request, "pending-evaluation");
  return request;
}

void Cloud::State::fulfil(SpotRequest& request, const std::string& availability_zone) {
  Reservation own;
  fulfil(request, availability_zone, own);
}

void Cloud::State::fulfil(SpotRequest& request, const std::string& availability_zone,
                          Reservation& reservation) {
  set_status(request, "pending-fulfillment");
  LaunchSpec spec = request.spec;
  spec.availability_zone = availability_zone;
  request.instance = launch(spec, Lifecycle::kSpot, request.id, request.fleet, reservation);
  set_state(request, SpotRequestState::kActive);
  set_status(request, "fulfilled");
}

Cloud::State::Placement Cloud::State::place(const LaunchSpec& spec) const {
  std::vector<std::string> zones = config.availability_zones;
  if (!spec.availability_zone.empty()) zones = {spec.availability_zone};
  const Usd limit = max_price(spec);
  if (!snapshots.exist_for(spec)) return {"", "bad-parameters"};
  Placement best{"", "capacity-not-available"};
  std::optional<Usd> best_price;
  for (const std::string& zone : zones) {
    const Pool pool{spec.instance_type, zone};
    const auto price = market.spot_price(pool, now());
    if (!price) continue;
    if (*price > limit) {
      if (best_price) continue;
      best.obstacle = "price-too-low";
      best.required = std::min(best.required.value_or(*price), *price);
    } else if (free_capacity(pool) > 0 && (!best_price || *price < *best_price)) {
      best = {zone, ""};
      best_price = price;
    }
  }
  return best;
}

std::string Cloud::State::price_obstacle(const LaunchSpec& spec, const Placement& placement) const {
  if (!placement.required) return "";
  return fmt::format(
      "Your Spot request price of {} is lower than the minimum required Spot request fulfillment "
      "price of {}.",
      max_price(spec).dollars(), placement.required->dollars());
}

std::string Cloud::State::said_without_prices(const LaunchSpec& spec) const {
  std::vector<std::string> zones = config.availability_zones;
  if (!spec.availability_zone.empty()) zones = {spec.availability_zone};
  for (const std::string& zone : zones)
    if (market.spot_price({spec.instance_type, zone}, now())) return "";
  return fmt::format(" The simulated market has no prices of {} in {}.", spec.instance_type,
                     fmt::join(zones, ", "));
}

void Cloud::State::evaluate_later(SpotRequest& request) {
  Retry& retry = request_work[request.id];
  const std::string stream_id = fmt::format("{}/{}", request.id.value, retry.draws++);
  retry.attempt =
      simulation.after(draw(config.durations.spot_evaluation, "spot-evaluation", stream_id),
                       [this, &request] { evaluate(request); });
}

void Cloud::State::evaluate(SpotRequest& request) {
  SIM_CHECK(request.state == SpotRequestState::kOpen);
  Retry& retry = request_work[request.id];
  retry.attempt.reset();
  const Placement placement = place(request.spec);
  const bool failed = placement.obstacle == "bad-parameters";
  set_waiting(request, !failed && !placement.obstacle.empty());
  retry.failed_at = now();
  if (failed) {
    set_status(request, placement.obstacle);
    return set_state(request, SpotRequestState::kFailed);
  }
  if (retry.waiting)
    return set_status(request, placement.obstacle, price_obstacle(request.spec, placement));
  fulfil(request, placement.availability_zone);
}

void Cloud::State::set_waiting(const SpotRequest& request, bool waiting) {
  Retry& retry = request_work[request.id];
  retry.waiting = waiting;
  if (waiting)
    waiting_requests.emplace(retry.number, request.id);
  else
    waiting_requests.erase(retry.number);
}

void Cloud::State::request_instance_ended(const Instance& instance) {
  if (instance.spot_request.empty()) return;
  SpotRequest& request = find(instance.spot_request);
  if (request.state != SpotRequestState::kActive) return;
  if (request.type != "persistent") return set_state(request, SpotRequestState::kClosed);
  request.instance = {};
  set_state(request, SpotRequestState::kOpen);
  set_status(request, "pending-evaluation");
  evaluate_later(request);
}

Time Cloud::State::next_try(const Retry& retry) const {
  const Duration every = config.durations.capacity_retry, since = now() - retry.failed_at;
  if (every <= Duration{}) return now();
  const auto tries = std::max<std::int64_t>(1, (since + every - Duration{1}) / every);
  return retry.failed_at + tries * every;
}

void Cloud::State::pool_changed(const Pool& pool) {
  for (auto& [id, work] : fleet_work) {
    Retry& retry = work.retry;
    if (!retry.waiting || retry.attempt) continue;
    Fleet& fleet = fleets.at(id);
    if (owed(fleet) > 0 && choose_spec(fleet)) allocate_at(fleet, next_try(retry));
  }
  for (const auto& [number, id] : waiting_requests) {
    SpotRequest& request = spot_requests.at(id);
    Retry& retry = request_work[id];
    if (request.state != SpotRequestState::kOpen || retry.attempt ||
        request.spec.instance_type != pool.instance_type)
      continue;
    if (place(request.spec).obstacle.empty())
      retry.attempt = simulation.at(next_try(retry), [this, &request] { evaluate(request); });
  }
}

std::vector<SpotRequestId> Cloud::request_spot_instances(const LaunchSpec& requested, int count,
                                                         const std::string& type) {
  State& s = *state_;
  if (count < 1)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter instanceCount is invalid.", count));
  const std::string request_type = type.empty() ? "one-time" : type;
  if (request_type != "one-time" && request_type != "persistent")
    throw ApiError("InvalidParameterValue",
                   "Value (" + type + ") for parameter type is invalid: one-time or persistent.");
  LaunchSpec spec = requested;
  s.check_and_complete_spot(spec);
  std::vector<SpotRequestId> made;
  for (int i = 0; i < count; ++i) {
    SpotRequest& request = s.create_spot_request(spec, request_type, {});
    s.request_work[request.id].number = s.direct_requests++;
    s.evaluate_later(request);
    made.push_back(request.id);
  }
  return made;
}

std::vector<InstanceId> Cloud::run_spot_instances(const LaunchSpec& requested, int least,
                                                  int most) {
  State& s = *state_;
  LaunchSpec spec = requested;
  s.check_and_complete_spot(spec);
  const State::Placement placement = s.place(spec);
  if (placement.obstacle == "price-too-low")
    throw ApiError("SpotMaxPriceTooLow", s.price_obstacle(spec, placement));
  const Pool pool{spec.instance_type, placement.availability_zone};
  const int count = placement.obstacle.empty() ? std::min(most, s.free_capacity(pool)) : 0;
  if (count < least)
    throw ApiError("InsufficientInstanceCapacity",
                   "There is no Spot capacity available that matches your request." +
                       s.said_without_prices(spec),
                   500);
  std::vector<InstanceId> launched;
  State::Reservation reservation;
  for (int i = 0; i < count; ++i) {
    SpotRequest& request = s.create_spot_request(spec, "one-time", {});
    s.request_work[request.id].number = s.direct_requests++;
    s.fulfil(request, placement.availability_zone, reservation);
    launched.push_back(request.instance);
  }
  return launched;
}

Usd Cloud::max_price(const LaunchSpec& spec) const { return state_->max_price(spec); }

void Cloud::cancel_spot_request(const SpotRequestId& id) {
  State& s = *state_;
  SpotRequest& request = s.find(id);
  if (request.state == SpotRequestState::kOpen) {
    s.cancel(s.request_work[id].attempt);
    s.set_waiting(request, false);
    s.set_state(request, SpotRequestState::kCancelled);
    s.set_status(request, "canceled-before-fulfillment");
  } else if (request.state == SpotRequestState::kActive) {
    s.set_state(request, SpotRequestState::kCancelled);
    // An instance that is on its way out keeps the code that says why.
    if (request.status_code == "fulfilled")
      s.set_status(request, "request-canceled-and-instance-running");
  }
}

}  // namespace sim::cloud
