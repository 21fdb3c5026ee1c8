#include "sim/cloud/parts/state.h"

#include <utility>

namespace sim::cloud {

Cloud::State::State(Simulation& sim, const Streams& st, market::Market& m, Host& h, Config c)
    : Context(sim, st, std::move(c)),
      market(m),
      host(h),
      tagging(*this),
      bill(*this, m),
      launch_templates(*this, tagging),
      snapshots(*this, h, tagging, bill),
      volumes(*this, h, tagging, bill, snapshots) {
  using Key = const std::string&;
  tagging.add(
      {.id_prefix = "i-",
       .tags = [this](Key id) -> Tags& { return shown(InstanceId{id}).tags; },
       .check = [this](Key id,
                       const Tags& t) { check_metadata_tags(shown(InstanceId{id}).spec, t); }});
  tagging.add({.id_prefix = "sir-",
               .tags = [this](Key id) -> Tags& { return find(SpotRequestId{id}).tags; }});
  tagging.add(
      {.id_prefix = "sfr-", .tags = [this](Key id) -> Tags& { return find(FleetId{id}).tags; }});
  market.subscribe([this](const Pool& pool) { pool_changed(pool); });
}

Instance& Cloud::State::find(const InstanceId& id) { return look_up(instances, id); }
SpotRequest& Cloud::State::find(const SpotRequestId& id) { return look_up(spot_requests, id); }
Fleet& Cloud::State::find(const FleetId& id) { return look_up(fleets, id); }

// EC2 user guide, "Terminate your instance": it stays visible for about an hour.
bool Cloud::State::shows(const Instance& instance) const {
  if (!instance.spec.managed_by.empty()) return false;
  return !instance.terminated_at || now() - *instance.terminated_at <= std::chrono::hours{1};
}

Instance& Cloud::State::shown(const InstanceId& id) {
  Instance& instance = find(id);
  if (!shows(instance)) throw not_found(id);
  return instance;
}

SpotRequest& Cloud::State::shown(const SpotRequestId& id) {
  SpotRequest& request = find(id);
  if (!Cloud::shows(request)) throw not_found(id);
  return request;
}

std::vector<LineItem> Cloud::State::open_items() const {
  if (bill.closed()) return {};
  std::vector<LineItem> items = bill.open_items_of_services();
  const auto add = [&](std::vector<LineItem> more) {
    for (LineItem& item : more) items.push_back(std::move(item));
  };
  for (const InstanceId& id : launch_order) {
    const Instance& instance = instances.at(id);
    if (!instance.terminated_at) add(bill.transfer_of(instance));
    if (!instance.shutting_down_at) add(bill.of(instance, Ended::kByCustomer));
  }
  add(volumes.open_items());
  add(snapshots.open_items());
  return items;
}

}  // namespace sim::cloud
