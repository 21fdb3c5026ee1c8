#include "sim/serve/metrics.h"

#include <limits>
#include <string_view>

#include "sim/faults/kinds.h"
#include "sim/serve/exposition.h"

namespace sim::serve {
namespace {

using Type = Exposition::Type;

constexpr double kBytesPerGib = 1024.0 * 1024 * 1024;

double unix_seconds(Time t) { return seconds(t.time_since_epoch()); }

template <class Counts>
void counter(
    Exposition& out, std::string_view name, std::string_view help,
    const std::array<std::string_view, std::tuple_size_v<typename Counts::key_type>>& labels,
    const Counts& counts) {
  out.family(name, Type::kCounter, help);
  for (const auto& [values, count] : counts) {
    Labels list;
    for (std::size_t i = 0; i < labels.size(); ++i) list.emplace_back(labels[i], values[i]);
    out.sample(list, static_cast<double>(count));
  }
}

void clock(Exposition& out, cloud::Cloud& cloud, market::Usd cost) {
  out.family("spotsim_virtual_time_seconds", Type::kGauge, "Virtual time, in seconds since 1970.");
  out.sample({}, unix_seconds(cloud.simulation().now()));
  out.family("spotsim_cost_usd_total", Type::kCounter,
             "The bill if it were closed now, in US dollars.");
  out.sample({}, cost.dollars());
}

void instances(Exposition& out, const cloud::Cloud& cloud) {
  std::map<std::array<std::string, 4>, int> counts;
  for (const auto& [id, instance] : cloud.instances())
    ++counts[{std::string(name(instance.state)), instance.spec.instance_type,
              instance.spec.availability_zone,
              instance.lifecycle == cloud::Lifecycle::kSpot ? "spot" : "on-demand"}];
  out.family("spotsim_instances", Type::kGauge, "Instances, those that have ended included.");
  for (const auto& [key, count] : counts)
    out.sample({{"state", key[0]}, {"type", key[1]}, {"zone", key[2]}, {"lifecycle", key[3]}},
               count);
}

void disks(Exposition& out, const cloud::Cloud& cloud) {
  struct Volumes {
    int number = 0;
    double bytes = 0;
  };
  std::map<std::array<std::string, 3>, Volumes> volumes;
  for (const auto& [id, volume] : cloud.volumes()) {
    Volumes& of = volumes[{std::string(name(volume.state)), volume.type, volume.availability_zone}];
    ++of.number;
    of.bytes += volume.size_gib * kBytesPerGib;
  }
  const auto labels = [](const auto& key) {
    return Labels{{"state", key[0]}, {"type", key[1]}, {"zone", key[2]}};
  };
  out.family("spotsim_volumes", Type::kGauge,
             "EBS volumes, root volumes and deleted ones included.");
  for (const auto& [key, of] : volumes) out.sample(labels(key), of.number);
  out.family("spotsim_volume_size_bytes", Type::kGauge, "Size of these volumes together.");
  for (const auto& [key, of] : volumes) out.sample(labels(key), of.bytes);
  std::map<std::string, int> snapshots;
  for (const auto& [id, snapshot] : cloud.snapshots())
    ++snapshots[std::string(name(snapshot.state))];
  out.family("spotsim_snapshots", Type::kGauge, "EBS snapshots, deleted ones included.");
  for (const auto& [state, count] : snapshots) out.sample({{"state", state}}, count);
}

void pools(Exposition& out, cloud::Cloud& cloud) {
  const market::Market& market = cloud.market();
  const auto labels = [](const market::Pool& pool) {
    return Labels{{"type", pool.instance_type}, {"zone", pool.availability_zone}};
  };
  out.family("spotsim_spot_price_usd_per_hour", Type::kGauge, "Spot price of a pool.");
  for (const market::Pool& pool : market.pools())
    if (const auto price = market.spot_price(pool, cloud.simulation().now()))
      out.sample(labels(pool), price->dollars());
  out.family("spotsim_spot_capacity_instances", Type::kGauge,
             "Spot instances that a pool has room for, running ones included.");
  for (const market::Pool& pool : market.pools()) {
    const int slots = market.capacity(pool);
    out.sample(labels(pool), slots == market::Market::kUnlimited
                                 ? std::numeric_limits<double>::infinity()
                                 : slots);
  }
}

}  // namespace

Metrics::Metrics(events::Listeners& log, const result::History& history) : history_(history) {
  log.on_all([this](const events::AnyEvent&, std::string_view) { ++events_; });
  log.on(*this, &Metrics::call);
  log.on<events::InstanceInterrupted>([this](const events::InstanceInterrupted& event) {
    const auto [type, zone] = pool_of(event.instance_id);
    ++interruptions_[{type, zone, std::string(event.reason), event.notice ? "true" : "false"}];
  });
  log.on<events::InstanceNotice>(
      [this](const auto& event) { ++notices_[pool_of(event.instance_id)]; });
  log.on<events::InstanceRebalance>(
      [this](const auto& event) { ++rebalances_[pool_of(event.instance_id)]; });
  log.on<events::ImdsRequest>(
      [this](const auto& event) { ++metadata_[{std::to_string(event.status)}]; });
  log.on<events::Control>([this](const auto& event) {
    ++control_[{std::string(event.action), event.result == "ok" ? "ok" : "refused"}];
  });
}

void Metrics::call(const events::ApiCall& event) {
  const std::string_view result = event.result;
  const std::array<std::string_view, 3> labels{event.service, event.action,
                                               result.substr(0, result.find(':'))};
  if (const auto found = calls_.find(labels); found != calls_.end()) {
    ++found->second;
    return;
  }
  const bool known = faults::known_actions().contains(std::string(event.action));
  const auto shown = [&](std::string_view label) { return std::string(known ? label : "other"); };
  ++calls_[{shown(labels[0]), shown(labels[1]), std::string(labels[2])}];
}

std::array<std::string, 2> Metrics::pool_of(std::string_view instance) const {
  const result::History::Instance* const found = history_.instance(instance);
  if (!found) return {};
  return {found->type, found->zone};
}

std::string Metrics::text(cloud::Cloud& cloud, market::Usd cost) const {
  Exposition out;
  clock(out, cloud, cost);
  instances(out, cloud);
  disks(out, cloud);
  pools(out, cloud);
  counter(out, "spotsim_interruptions_total", "Spot instances that EC2 took back.",
          {"type", "zone", "reason", "notice"}, interruptions_);
  counter(out, "spotsim_interruption_notices_total", "Interruption notices.", {"type", "zone"},
          notices_);
  counter(out, "spotsim_rebalance_recommendations_total", "Rebalance recommendations.",
          {"type", "zone"}, rebalances_);
  counter(out, "spotsim_api_calls_total", "Calls of AWS by their result: ok or the error code.",
          {"service", "action", "result"}, calls_);
  counter(out, "spotsim_metadata_requests_total", "Requests for instance metadata.", {"status"},
          metadata_);
  counter(out, "spotsim_control_calls_total", "Calls of the control API that change something.",
          {"action", "result"}, control_);
  out.family("spotsim_log_events_total", Type::kCounter, "Lines of the event log.");
  out.sample({}, static_cast<double>(events_));
  return out.take();
}

}  // namespace sim::serve
