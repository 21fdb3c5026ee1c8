// The state that all parts of the cloud share: the clock, the settings, random draws, new IDs and
// the observers. The context knows no table of resources, so no part can reach another part through
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/cloud/config.h"
#include "sim/cloud/id_source.h"
#include "sim/cloud/observer.h"
#include "sim/cloud/states.h"
#include "sim/kernel/check.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::cloud {

// For a kind of resource: the name of its graph of states (states.h), and the observers' function
// that reports a transition.
template <class Resource>
struct Graph {
  std::string_view resource;
  void (Observer::*report)(const Resource&, std::optional<decltype(Resource::state)> from);
};
inline Graph<Instance> graph_of(const Instance&) { return {"instance", &Observer::instance_state}; }
inline Graph<Volume> graph_of(const Volume&) { return {"volume", &Observer::volume_state}; }
inline Graph<Attachment> graph_of(const Attachment&) {
  return {"attachment", &Observer::attachment_state};
}
inline Graph<Snapshot> graph_of(const Snapshot&) { return {"snapshot", &Observer::snapshot_state}; }
inline Graph<OwnImage> graph_of(const OwnImage&) { return {"image", &Observer::image_state}; }
inline Graph<SpotRequest> graph_of(const SpotRequest&) {
  return {"spot-request", &Observer::spot_request_state};
}
inline Graph<Fleet> graph_of(const Fleet&) { return {"fleet", &Observer::fleet_state}; }

struct Context {
  Context(Simulation& simulation_, const Streams& streams_, Config config_)
      : simulation(simulation_), streams(streams_), config(std::move(config_)), ids(streams) {
    SIM_CHECK(config.durations.snapshot_mib_per_second > 0);
  }

  Simulation& simulation;
  const Streams streams;
  const Config config;
  IdSource ids;
  Pace pace;                         // empty: drawn durations apply
  std::vector<Observer*> observers;  // in the order of calls

  Time now() const { return simulation.now(); }
  // A duration from the stream of this name and ID, unless `pace` replaces it.
  Duration draw(Range range, std::string_view name, const std::string& id) const {
    const Duration drawn = streams.stream(name, id).between(range.low, range.high);
    return pace ? pace(name, drawn) : drawn;
  }
  // Cancels a scheduled event, if there is one.
  void cancel(std::optional<EventId>& event) {
    if (event) simulation.cancel(*event);
    event.reset();
  }

  // Calls one function of every observer.
  template <class... Args>
  void tell(void (Observer::*event)(Args...), const std::type_identity_t<Args>&... args) {
    for (Observer* observer : observers) (observer->*event)(args...);
  }
  // Reports a new resource. Its state must be an initial one (asserted).
  template <class Resource>
  void tell_new(const Resource& resource) {
    const Graph graph = graph_of(resource);
    SIM_CHECK(allowed(graph.resource, "", name(resource.state)));
    tell(&Observer::changed);
    tell(graph.report, resource, {});
  }
  // Moves a resource to another state and reports it. The transition must be allowed (asserted).
  template <class Resource>
  void set_state(Resource& resource, decltype(Resource::state) to) {
    const Graph graph = graph_of(resource);
    SIM_CHECK(allowed(graph.resource, name(resource.state), name(to)));
    const auto from = std::exchange(resource.state, to);
    tell(&Observer::changed);
    tell(graph.report, resource, from);
  }
};

}  // namespace sim::cloud
