#include "sim/cloud/parts/spot_requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/lookup.h"

namespace sim::cloud {
namespace {

// The message of a status code (EC2 user guide, "Get the status of a Spot Instance request"),
// shortened. Empty for an unknown code.
std::string status_message(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> kMessages[] = {
      {"pending-evaluation", "Your Spot request has been submitted for review."},
      {"not-scheduled-yet", "Your Spot request will not be evaluated until the scheduled date."},
      {"schedule-expired",
       "Your Spot request expired because it was not fulfilled before the specified date."},
      {"pending-fulfillment", "Your Spot request is pending fulfillment."},
      {"fulfilled", "Your Spot request is fulfilled."},
      {"capacity-not-available", "There is no Spot capacity available that matches your request."},
      // EC2 User Guide, "Spot request status".
      {"placement-group-constraint",
       "The Spot request can't be fulfilled yet because a Spot Instance can't be added to the "
       "placement group at this time."},
      {"bad-parameters", "One or more parameters for your Spot request are not valid."},
      {"canceled-before-fulfillment", "Your Spot request was canceled before it was fulfilled."},
      {"request-canceled-and-instance-running",
       "Your Spot request is canceled, but your instance is still running."},
      {"marked-for-termination", "Your Spot Instance is marked for termination."},
      {"marked-for-stop", "Your Spot Instance is marked for stop."},
      {"instance-stopped-by-user", "Your Spot Instance was stopped by user."},
      {"instance-stopped-no-capacity",
       "Your Spot Instance was stopped because there is no Spot capacity available."},
      {"instance-stopped-by-price",
       "Your Spot Instance was stopped because your maximum price was lower than the Spot price."},
      {"instance-stopped-by-experiment", "Your Spot Instance was stopped by an experiment."},
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

SpotRequests::SpotRequests(Context& context, Tagging& tagging, const LaunchChecks& checks,
                           const SpotCapacity& capacity, Instances& instances)
    : context_(context),
      tagging_(tagging),
      checks_(checks),
      capacity_(capacity),
      instances_(instances) {
  tagging.add({.id_prefix = "sir-", .tags = [this](const std::string& id) -> Tags& {
                 return own(SpotRequestId{id}).tags;
               }});
}

SpotRequest& SpotRequests::own(const SpotRequestId& id) { return look_up(table_, id); }

// EC2 User Guide, "Spot Instance quotas": running instances and open requests count.
bool SpotRequests::counts(const SpotRequest& request) const {
  if (request.state == SpotRequestState::kOpen) return true;
  if (request.instance.empty()) return false;
  const Instance& instance = instances_.find(request.instance);
  return !instance.shutting_down_at && !is_stopped(instance);
}

int SpotRequests::room_in_quotas(const LaunchSpec& spec) const {
  const market::Quotas& quotas = capacity_.quotas();
  if (!spec.managed_by.empty() || (!quotas.spot_vcpus && !quotas.spot_requests))
    return market::Market::kUnlimited;
  const std::string group = market::quota_group(spec.instance_type);
  int requests = 0, vcpus = 0;
  for (const auto& [id, request] : table_) {
    if (!request.spec.managed_by.empty() || !counts(request)) continue;
    ++requests;
    if (market::quota_group(request.spec.instance_type) == group)
      vcpus += capacity_.vcpus(request.spec.instance_type);
  }
  int room = std::max(0, quotas.spot_requests.value_or(market::Market::kUnlimited) - requests);
  const int each = capacity_.vcpus(spec.instance_type);
  if (quotas.spot_vcpus && each > 0)
    room = std::min(room, std::max(0, *quotas.spot_vcpus - vcpus) / each);
  return room;
}

// EC2 API Reference, "Error codes": MaxSpotInstanceCountExceeded.
void SpotRequests::check_quotas(const LaunchSpec& spec, int count) const {
  if (room_in_quotas(spec) < count)
    throw ApiError("MaxSpotInstanceCountExceeded", "Max spot instance count exceeded");
}

void SpotRequests::set_status(SpotRequest& request, const std::string& code,
                              const std::string& message) {
  if (request.status_code == code) return;
  request.status_code = code;
  request.status_message = message.empty() ? status_message(code) : message;
  request.status_updated_at = context_.now();
  context_.tell(&Observer::spot_request_status, request);
}

SpotRequest& SpotRequests::make(const LaunchSpec& spec, const std::string& type,
                                const FleetId& fleet) {
  const SpotRequestId id = context_.ids.spot_request();
  SpotRequest& request = table_[id];
  request.id = id;
  request.spec = spec;
  request.created_at = context_.now();
  request.type = type;
  request.fleet = fleet;
  request.tags = spec.request_tags;
  if (!fleet.empty()) request.tags["aws:ec2spot:fleet-request-id"] = fleet.value;

  context_.tell_new(request);
  tagging_.announce(id.value, request.tags);
  set_status(request, "pending-evaluation");
  return request;
}

SpotRequest& SpotRequests::make_direct(const LaunchSpec& spec, const std::string& type) {
  SpotRequest& request = make(spec, type, {});
  work_[request.id].number = numbered_++;
  return request;
}

void SpotRequests::fulfil(SpotRequest& request, const std::string& availability_zone,
                          Reservation& reservation) {
  set_status(request, "pending-fulfillment");
  LaunchSpec spec = request.spec;
  spec.availability_zone = availability_zone;
  request.instance = instances_.launch_spot(
      spec, {.spot_request = request.id, .fleet = request.fleet}, reservation);
  context_.set_state(request, SpotRequestState::kActive);
  set_status(request, "fulfilled");
  if (const auto work = work_.find(request.id); work != work_.end() && request.type == "one-time")
    context_.cancel(work->second.expiry);
}

InstanceId SpotRequests::launch_for(const FleetId& fleet, const LaunchSpec& spec) {
  SpotRequest& request = make(spec, "one-time", fleet);
  if (spec.stops_when_interrupted) work_[request.id].number = numbered_++;  // it may wait
  Reservation own_reservation;
  fulfil(request, spec.availability_zone, own_reservation);
  return request.instance;
}

void SpotRequests::evaluate_later(SpotRequest& request) {
  Retry& retry = work_[request.id].retry;
  const std::string stream_id = fmt::format("{}/{}", request.id.value, retry.draws++);
  retry.attempt = context_.simulation.after(
      context_.draw(context_.config.durations.spot_evaluation, "spot-evaluation", stream_id),
      [this, &request] { evaluate(request); });
}

void SpotRequests::evaluate(SpotRequest& request) {
  if (request.state == SpotRequestState::kDisabled) return start_again(request);
  SIM_CHECK(request.state == SpotRequestState::kOpen);
  Retry& retry = work_[request.id].retry;
  retry.attempt.reset();
  const SpotCapacity::Placement placement = capacity_.place(request.spec);
  const bool failed = placement.obstacle == "bad-parameters";
  set_waiting(request, !failed && !placement.obstacle.empty());
  retry.failed_at = context_.now();
  if (failed) {
    context_.cancel(work_[request.id].expiry);
    set_status(request, placement.obstacle);
    return context_.set_state(request, SpotRequestState::kFailed);
  }
  if (retry.waiting)
    return set_status(request, placement.obstacle,
                      capacity_.price_obstacle(request.spec, placement));
  Reservation own_reservation;
  fulfil(request, placement.availability_zone, own_reservation);
}

// EC2 starts an instance that it has stopped when there is capacity (EC2 user guide, "Behavior of
// Spot Instance interruptions").
void SpotRequests::start_again(SpotRequest& request) {
  Retry& retry = work_[request.id].retry;
  retry.attempt.reset();
  retry.failed_at = context_.now();
  const Instance& instance = instances_.find(request.instance);
  if (instance.state != InstanceState::kStopped) return;
  const bool waits = !instances_.may_start(instance);
  set_waiting(request, waits);
  if (!waits) instances_.start({instance.id});
}

void SpotRequests::set_waiting(const SpotRequest& request, bool waiting) {
  Work& work = work_[request.id];
  work.retry.waiting = waiting;
  if (waiting)
    waiting_.emplace(work.number, request.id);
  else
    waiting_.erase(work.number);
}

// The room of a placement group depends on its members of all types.
void SpotRequests::pool_changed(const Pool& pool) {
  try_waiting([&](const LaunchSpec& spec) {
    return spec.instance_type == pool.instance_type || !spec.placement_group.empty();
  });
}

// A default subnet has room for all, so only what a request names can be missing.
void SpotRequests::address_freed() {
  try_waiting([](const LaunchSpec& spec) {
    return !spec.subnet_id.empty() || !spec.private_ip.empty() || !spec.secondary_ips.empty() ||
           !spec.network_interface.empty();
  });
}

void SpotRequests::try_waiting(const std::function<bool(const LaunchSpec&)>& concerns) {
  for (const auto& [number, id] : waiting_) {
    SpotRequest& request = own(id);
    Retry& retry = work_[id].retry;
    const bool waits =
        request.state == SpotRequestState::kOpen || request.state == SpotRequestState::kDisabled;
    if (!waits || retry.attempt || !concerns(request.spec)) continue;
    const bool possible = request.state == SpotRequestState::kDisabled
                              ? instances_.may_start(instances_.find(request.instance))
                              : capacity_.place(request.spec).obstacle.empty();
    if (possible)
      retry.attempt = context_.simulation.at(capacity_.next_try(retry),
                                             [this, &request] { evaluate(request); });
  }
}

void SpotRequests::interrupted(const Instance& instance, const std::string& reason) {
  if (!instance.spec.stops_when_interrupted)
    return set_status(own(instance.spot_request), "instance-terminated-" + reason);
  work_[instance.spot_request].interruption = reason;
  set_status(own(instance.spot_request), "marked-for-stop");
}

void SpotRequests::check_may_stop(const Instance& instance) const {
  if (instance.spot_request.empty()) return;
  const SpotRequest& request = look_up(table_, instance.spot_request);
  if (request.type == "persistent") return;
  throw ApiError(
      "UnsupportedOperation",
      fmt::format("You can't stop the Spot Instance '{}' because it is associated with a "
                  "one-time Spot Instance request. You can only stop Spot Instances "
                  "associated with persistent Spot Instance requests.",
                  instance.id.value));
}

void SpotRequests::stopping(const Instance& instance, Ended ended) {
  if (instance.spot_request.empty()) return;
  SpotRequest& request = own(instance.spot_request);
  std::string& reason = work_[request.id].interruption;
  if (ended == Ended::kByCustomer) reason.clear();
  // A cancelled request stays cancelled.
  if (request.state == SpotRequestState::kActive)
    context_.set_state(request, SpotRequestState::kDisabled);
  set_status(request, "instance-stopped-" + (reason.empty() ? "by-user" : reason));
}

void SpotRequests::stopped(const Instance& instance) {
  if (instance.spot_request.empty()) return;
  SpotRequest& request = own(instance.spot_request);
  if (request.state == SpotRequestState::kDisabled && !work_[request.id].interruption.empty())
    evaluate_later(request);
}

bool SpotRequests::any_may_launch() const {
  return std::ranges::any_of(table_, [this](const auto& entry) {
    const auto& [id, request] = entry;
    return request.state == SpotRequestState::kOpen ||
           (request.state == SpotRequestState::kDisabled && !work_.at(id).interruption.empty());
  });
}

void SpotRequests::starting(const Instance& instance) {
  if (instance.spot_request.empty()) return;
  SpotRequest& request = own(instance.spot_request);
  context_.cancel(work_[request.id].retry.attempt);
  set_waiting(request, false);
  work_[request.id].interruption.clear();
  if (request.state == SpotRequestState::kDisabled)
    context_.set_state(request, SpotRequestState::kActive);
  set_status(request, "fulfilled");
}

void SpotRequests::shutting_down(const Instance& instance, Ended ended) {
  if (instance.spot_request.empty() || ended != Ended::kByCustomer) return;
  set_status(own(instance.spot_request), "instance-terminated-by-user");
}

void SpotRequests::terminated(const Instance& instance) {
  if (instance.spot_request.empty()) return;
  SpotRequest& request = own(instance.spot_request);
  const bool disabled = request.state == SpotRequestState::kDisabled;
  if (request.state != SpotRequestState::kActive && !disabled) return;
  context_.cancel(work_[request.id].retry.attempt);
  if (disabled) set_waiting(request, false);
  if (request.type != "persistent") return context_.set_state(request, SpotRequestState::kClosed);
  request.instance = {};
  context_.set_state(request, SpotRequestState::kOpen);
  set_status(request, "pending-evaluation");
  evaluate_later(request);
}

std::vector<SpotRequestId> SpotRequests::request(const LaunchSpec& requested, int count,
                                                 const std::string& type,
                                                 const Validity& validity) {
  if (count < 1)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter instanceCount is invalid.", count));
  const std::string request_type = type.empty() ? "one-time" : type;
  if (request_type != "one-time" && request_type != "persistent")
    throw ApiError("InvalidParameterValue",
                   "Value (" + type + ") for parameter type is invalid: one-time or persistent.");
  check(validity);
  LaunchSpec spec = requested;
  checks_.complete_spot(spec);
  check_quotas(spec, count);
  std::vector<SpotRequestId> made;
  for (int i = 0; i < count; ++i) {
    SpotRequest& request = make_direct(spec, request_type);
    request.validity = validity;
    schedule(request);
    made.push_back(request.id);
  }
  return made;
}

std::vector<InstanceId> SpotRequests::run_now(const LaunchSpec& requested, int least, int most,
                                              const std::string& type,
                                              std::optional<Time> valid_until) {
  const Validity validity{.until = valid_until};
  check(validity);
  LaunchSpec spec = requested;
  checks_.complete_spot(spec);
  const SpotCapacity::Placement placement = capacity_.place(spec);
  if (placement.obstacle == "price-too-low")
    throw ApiError("SpotMaxPriceTooLow", capacity_.price_obstacle(spec, placement));
  const int count = placement.obstacle.empty()
                        ? std::min(most, capacity_.free_for(spec, placement.availability_zone))
                        : 0;
  if (placement.obstacle == "placement-group-constraint") throw capacity_.group_refusal(spec);
  if (count < least)
    throw ApiError("InsufficientInstanceCapacity",
                   "There is no Spot capacity available that matches your request." +
                       capacity_.hint_without_prices(spec),
                   500);
  check_quotas(spec, least);
  const int launches = std::min(count, room_in_quotas(spec));
  std::vector<InstanceId> launched;
  Reservation reservation;
  for (int i = 0; i < launches; ++i) {
    SpotRequest& request = make_direct(spec, type);
    request.validity = validity;
    schedule_expiry(request);
    fulfil(request, placement.availability_zone, reservation);
    launched.push_back(request.instance);
  }
  return launched;
}

void SpotRequests::cancel(const SpotRequestId& id) {
  SpotRequest& request = own(id);
  if (request.state == SpotRequestState::kOpen)
    return end_open(request, "canceled-before-fulfillment");
  if (const auto work = work_.find(id); work != work_.end()) context_.cancel(work->second.expiry);
  if (request.state == SpotRequestState::kDisabled) {
    context_.cancel(work_[id].retry.attempt);
    set_waiting(request, false);
    context_.set_state(request, SpotRequestState::kCancelled);
    // "If you cancel a Spot Instance request, […] Amazon EC2 terminates any associated Spot
    // Instances that are stopped" (EC2 user guide, "Stop interrupted Spot Instances").
    if (instances_.find(request.instance).state == InstanceState::kStopped)
      instances_.terminate_by_user(request.instance);
  } else if (request.state == SpotRequestState::kActive) {
    context_.set_state(request, SpotRequestState::kCancelled);
    // The request keeps its code if its instance is already ending, because that code states the
    // reason.
    if (request.status_code == "fulfilled")
      set_status(request, "request-canceled-and-instance-running");
  }
}

}  // namespace sim::cloud
