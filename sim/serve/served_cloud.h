// The cloud and the market of a scenario, with the fakes on top and machines that run nothing
// except containers of training jobs. It knows no sockets and no real clock: the same calls at the
// same virtual times give the same log, byte for byte.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/backend.h"
#include "fakes/regions.h"
#include "sim/cloud/cloud.h"
#include "sim/cloud/log_writer.h"
#include "sim/faults/engine.h"
#include "sim/messaging/http_endpoints.h"
#include "sim/report/live_report.h"
#include "sim/result/listen.h"
#include "sim/run/further_regions.h"
#include "sim/scenario/scenario.h"
#include "sim/serve/metrics.h"
#include "sim/serve/record.h"
#include "sim/serve/served_host.h"

namespace sim::serve {

enum class Profile {
  kScenario,  // state transitions take the scenario's durations
  kInstant    // they take no time, and any credentials and regions are accepted (instant.h)
};

struct ServedCloudOptions {
  std::uint64_t seed = 0;
  Profile profile = Profile::kScenario;
  std::filesystem::path out;                           // gets events.jsonl; empty: nothing is left
  bool live = false;                                   // pages may follow it (live())
  messaging::HttpEndpoints* http_endpoints = nullptr;  // for SNS; null: refused
  // Adds listeners after those of the cloud itself; may be empty.
  result::Listen listen;
};

// A fault that the control API has injected.
struct InjectedFault {
  std::int64_t id = 0;  // as in the log's lines "fault.strike"
  const faults::Fault* fault = nullptr;
  faults::Tally tally;
  bool lasts = false;  // something that it began still lasts
};

// Owns one world: simulation, log, market, cloud, fakes, machines and faults. Testbed makes one,
// and a new one at each reset. Callers move its clock; nothing happens between calls.
class ServedCloud {
 public:
  // The scenario must outlive this object. Throws std::system_error if the log cannot be written.
  ServedCloud(const scenario::Scenario& scenario, const ServedCloudOptions& options);

  Time now() const { return simulation_.now(); }
  std::optional<Time> next() { return simulation_.next(); }
  void run_until(Time t) { simulation_.run_until(t); }
  // Like run_until(t), but stops after this amount of work (events and lines of the log), between
  // two instants. True if t is reached.
  // boundary. True if t is reached.
  bool run_some(Time t, std::uint64_t work);
  // Moves the clock to the next change of a description, at most to t.
  void run_to_change(Time t);

  // AWS's answer now. All events that are due at this instant happen first.
  fakes::Reply aws(const fakes::Request& request);
  // The answer of an instance's metadata service. The instance must exist (asserted).
  fakes::Response imds(const cloud::InstanceId& instance, const fakes::Request& request);

  // Shares the other cloud's IAM from now on, like several regions of one AWS account. `other` must
  // outlive this cloud.
  void share_account(const ServedCloud& other) { fakes_.iam = other.fakes_.iam; }

  // `find` gives a region of the account that another served cloud has. CopySnapshot and CopyImage
  // read from that region.
  void set_elsewhere(const std::function<fakes::Backend*(std::string_view region)>& find);
  // Null if this cloud does not have the region.
  fakes::Backend* find_region(std::string_view name) { return fakes::find_region(fakes_, name); }

  // The first region's.
  cloud::Cloud& cloud() { return cloud_; }
  // The clouds of all regions, the first one first.
  std::vector<cloud::Cloud*> clouds();
  // The cloud of the region with this instance or pool, else the first one.
  cloud::Cloud& cloud_with(const cloud::InstanceId& id) {
    return fakes::region_with(fakes_, id).cloud;
  }
  cloud::Cloud& cloud_with(const market::Pool& pool);
  bool has_region(std::string_view name) { return find_region(name) != nullptr; }
  // Of all regions.
  market::Usd cost_so_far() const { return cloud_.cost_so_far() + further_regions_.cost_so_far(); }
  EventLog& log() { return log_; }
  Record& record() { return record_; }
  // The timeline for pages; null unless the options ask for it.
  const report::LiveReport* live() const { return live_.get(); }
  std::string metrics() { return metrics_.text(cloud_, cost_so_far()); }

  // True if faults of this kind can strike here. Faults of programs cannot, because no programs run
  // on instances.
  bool can(const faults::Kind& kind) const { return !kind.needs || host_.can(*kind.needs); }
  // Adds a fault of such a kind, and processes all events that are due now. Returns the number of
  // strikes so far.
  faults::Tally inject(faults::Fault fault);
  // The faults that were injected and not removed, in their order.
  std::vector<InjectedFault> injected() const;
  // False if there is no such fault, or if it was removed already.
  bool remove_fault(std::int64_t id);

  // The number of changes of things that EC2 describes.
  std::uint64_t changes() const { return changes_.heard; }
  // The private addresses that instances received or released since the last call, and whether an
  // instance has each one now.
  std::map<std::string, bool> take_address_changes();
  const scenario::Scenario& scenario() const { return scenario_; }
  std::string fingerprint() const { return log_.fingerprint(); }

 private:
  struct Changes : cloud::Observer {
    void changed() override { ++heard; }
    void instance_state(const cloud::Instance& instance,
                        std::optional<cloud::InstanceState> from) override;
    std::uint64_t heard = 0;
    std::map<std::string, int> addresses;  // number of instances with each address
    std::set<std::string> changed_addresses;
  };
  Simulation& opened();
  faults::Engine& engine();
  fakes::Response internal_failure(const std::exception& error);

  const scenario::Scenario& scenario_;
  const ServedCloudOptions& options_;
  Simulation simulation_;
  Streams streams_;
  EventLog log_;
  Record record_;
  Metrics metrics_;
  std::unique_ptr<report::LiveReport> live_;
  ServedHost host_;
  market::Market market_;
  cloud::Cloud cloud_;
  cloud::LogWriter log_writer_;
  Changes changes_;
  // By ID, one fault each. The engine refers to them.
  std::map<std::int64_t, faults::Plan> injected_;
  std::set<std::int64_t> removed_;        // IDs of injected faults
  std::optional<faults::Engine> faults_;  // made for the first plan
  run::FurtherRegions::Engines further_faults_;
  fakes::Backend fakes_;
  run::FurtherRegions further_regions_;
  fakes::Handler aws_;
  std::map<cloud::InstanceId, fakes::Handler> imds_;
};

// Sentences about parts of a scenario that only runs use: its operator's script, its trainer …
std::vector<std::string> not_served(const scenario::Scenario& scenario);

}  // namespace sim::serve
