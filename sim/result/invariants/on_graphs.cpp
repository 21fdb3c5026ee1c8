#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/states.h"
#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

class OnGraphs : public Invariant {
 public:
  OnGraphs() : Invariant("on-graphs", "every resource follows its state machine") {}

  void listen(events::Listeners& log) override {
    follow(log, "instance", &events::InstanceState::instance_id);
    follow(log, "volume", &events::VolumeState::volume_id);
    follow(log, "attachment", &events::AttachmentState::volume_id);
    follow(log, "snapshot", &events::SnapshotState::snapshot_id);
    follow(log, "spot-request", &events::SpotRequestState::spot_request_id);
    follow(log, "fleet", &events::FleetState::fleet_id);
  }

 private:
  template <class E>
  void follow(events::Listeners& log, std::string_view resource, std::string_view E::*id) {
    log.on<E>([this, resource, id](const E& event) {
      if (cloud::allowed(resource, event.from, event.to)) return;
      broken(event.time,
             fmt::format("{} {}: \"{}\" to \"{}\"", resource, event.*id, event.from, event.to),
             {to_line(event)});
    });
  }
};

}  // namespace

std::unique_ptr<Invariant> on_graphs(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<OnGraphs>();
}

}  // namespace sim::result
