// For tests: a region with three zones, a market with the test's prices, machines that the test
// controls, and a log whose every line is checked.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/cloud/log_writer.h"
#include "sim/events/event.h"
#include "sim/events/lines_for_test.h"

namespace sim::cloud {

inline Usd usd(const char* text) { return market::parse_usd(text).value(); }

inline const Time kStart = parse_time("2019-11-05T10:00:00Z").value();
inline const Pool kA{"p3.2xlarge", "us-west-2a"}, kB{"p3.2xlarge", "us-west-2b"},
    kC{"p2.xlarge", "us-west-2c"};

// Machines and disks that remember the requests to them. A machine goes down at once, unless the
// test holds it. The test releases a mounted device.
class FakeHost : public Host {
 public:
  explicit FakeHost(Simulation& simulation) : simulation_(simulation) {}

  void boot(const Instance& instance) override { calls.push_back("boot " + instance.id.value); }
  void reboot(const Instance& instance, Duration, std::function<void()> at_rest) override {
    calls.push_back("reboot " + instance.id.value);
    if (at_rest) simulation_.after(shutdown_takes, std::move(at_rest));
  }
  void halt(const Instance& instance, Shutdown how, std::function<void()> at_rest) override {
    calls.push_back((how == Shutdown::kHard ? "cut power of " : "halt ") + instance.id.value);
    simulation_.after(shutdown_takes, std::move(at_rest));
  }
  void start_again(const Instance& instance, Duration) override {
    calls.push_back("start again " + instance.id.value);
  }
  void hibernate(const Instance& instance, std::function<void()> at_rest) override {
    calls.push_back("hibernate " + instance.id.value);
    simulation_.after(shutdown_takes, std::move(at_rest));
  }
  void resume(const Instance& instance) override { calls.push_back("resume " + instance.id.value); }
  void shut_down(const Instance& instance, Shutdown how, std::function<void()> gone) override {
    EXPECT_TRUE(shut_down_.insert(instance.id).second) << "shut down twice";
    calls.push_back((how == Shutdown::kHard ? "power off " : "shut down ") + instance.id.value);
    const auto end = [this, id = instance.id, gone = std::move(gone)] {
      std::erase_if(machine_of_, [&](const auto& entry) {
        return entry.second == id && (plugged.erase(entry.first), true);
      });
      gone();
    };
    if (hold_machines)
      held.push_back(end);
    else
      simulation_.after(shutdown_takes, end);
  }
  void create_disk(const Volume& volume) override {
    calls.push_back("create " + volume.id.value + " from " + volume.snapshot.value);
  }
  void change_disk(const Volume& volume) override {
    changed.push_back({volume.size_gib, volume.type, volume.iops, volume.throughput});
  }
  void delete_disk(const VolumeId& volume) override { calls.push_back("delete " + volume.value); }
  std::int64_t snapshot_disk(const SnapshotId&, const VolumeId&) override { return stored_bytes; }
  std::optional<std::int64_t> changed_bytes(const SnapshotId& previous,
                                            const SnapshotId& snapshot) override {
    const auto found = changes.find({previous, snapshot});
    return found == changes.end() ? default_change : found->second;
  }
  void copy_snapshot_disk(const SnapshotId& from, const SnapshotId& to) override {
    calls.push_back("copy " + from.value + " to " + to.value);
  }
  void delete_snapshot_disk(const SnapshotId& snapshot) override {
    calls.push_back("delete " + snapshot.value);
  }
  void plug(const VolumeId& volume, const InstanceId& instance,
            const std::string& device) override {
    EXPECT_TRUE(plugged.emplace(volume, device).second) << "plugged twice";
    EXPECT_FALSE(shut_down_.contains(instance)) << "plugged into a machine that goes down";
    machine_of_[volume] = instance;
  }
  void unplug(const VolumeId& volume, const InstanceId&, bool force,
              std::function<void()> released) override {
    plugged.erase(volume);
    machine_of_.erase(volume);
    if (mounted && !force)
      held.push_back(std::move(released));
    else
      simulation_.after(Duration{}, std::move(released));
  }
  // Ends the machines and releases the devices that the test held.
  void release() {
    for (auto& callback : std::exchange(held, {})) simulation_.after(Duration{}, callback);
  }

  std::vector<VolumeSettings> changed;  // by change_disk
  std::vector<std::string> calls;
  std::map<VolumeId, std::string> plugged;
  std::vector<std::function<void()>> held;
  bool hold_machines = false, mounted = false;
  Duration shutdown_takes = 10s;
  std::int64_t stored_bytes = 0;
  std::optional<std::int64_t> default_change;  // what changed_bytes() returns, except for `changes`
  std::map<std::pair<SnapshotId, SnapshotId>, std::int64_t> changes;

 private:
  Simulation& simulation_;
  std::set<InstanceId> shut_down_;
  std::map<VolumeId, InstanceId> machine_of_;
};

// Constant durations, so that a test knows when each event happens.
inline Durations fixed_durations() {
  Durations d;
  d.spot_evaluation = {2s, 2s};
  d.instance_pending = {20s, 20s};
  d.boot = {30s, 30s};
  d.instance_shutdown = {30s, 30s};
  d.volume_creating = {5s, 5s};
  d.volume_attaching = {4s, 4s};
  d.volume_detaching = {3s, 3s};
  d.volume_deleting = {10s, 10s};
  d.snapshot_base = {40s, 40s};
  d.fleet_replenish = {5s, 5s};
  return d;
}

// Times from the start; prices per hour.
using Steps = std::vector<std::pair<Duration, const char*>>;

inline std::vector<market::PricePoint> points(const Steps& steps) {
  std::vector<market::PricePoint> result;
  for (const auto& [after, price] : steps) result.push_back({kStart + after, usd(price)});
  return result;
}

// p3.2xlarge costs 0.918 in 2a and 0.9 in 2b, p2.xlarge 0.27 in 2c.
inline market::PriceHistory default_prices() {
  market::PriceHistory history;
  history.pools[kA] = points({{0s, "0.918"}});
  history.pools[kB] = points({{0s, "0.9"}});
  history.pools[kC] = points({{0s, "0.27"}});
  return history;
}

struct CloudWorld {
  explicit CloudWorld(market::PriceHistory history = default_prices(), std::uint64_t seed = 1,
                      Durations durations = fixed_durations())
      : streams(seed),
        market(simulation, log, std::move(history)),
        host(simulation),
        cloud(simulation, streams, market, host,
              {.availability_zones = {"us-west-2a", "us-west-2b", "us-west-2c"},
               .durations = durations}) {
    cloud.observe(log_writer);
    hear_lines(log, [this](const Event& event, std::string_view text) {
      check_transition(event);
      events.push_back(event);
      lines += std::string{text} + "\n";
    });
  }

  // Checks that a ".state" line is on the resource's graph and continues the resource's previous
  // line.
  void check_transition(const Event& event) {
    const auto dot = event.kind.find(".state");
    if (dot == std::string::npos) return;
    const std::string resource = event.kind.substr(0, dot), from = event.fields.at("from"),
                      to = event.fields.at("to");
    EXPECT_TRUE(allowed(resource, from, to)) << resource << ": " << from << " to " << to;
    // An attachment is identified by its volume.
    const std::string id = event.fields.begin().value();
    std::string& last = last_state[resource + id];
    EXPECT_EQ(from, resource == "attachment" && last == "detached" ? "" : last) << id;
    last = to;
  }

  void run(Duration d) { simulation.run_until(simulation.now() + d); }
  Duration elapsed() const { return simulation.now() - kStart; }

  std::vector<Event> of_kind(std::string_view kind) const {
    std::vector<Event> found;
    for (const Event& event : events)
      if (event.kind == kind) found.push_back(event);
    return found;
  }
  // The states of a resource, "pending running …", or the codes of a spot request.
  std::string path(std::string_view kind, const std::string& id, const char* field = "to") const {
    std::string result;
    for (const Event& event : of_kind(kind))
      if (event.fields.begin().value() == id)
        result += (result.empty() ? "" : " ") + event.fields.at(field).get<std::string>();
    return result;
  }
  // The error code that the call throws. Empty if it succeeds.
  template <class Call>
  static std::string refusal(Call&& call) {
    try {
      call();
    } catch (const ApiError& error) {
      return error.code();
    }
    return "";
  }

  InstanceId on_demand(const std::string& zone = "us-west-2b", int seconds = 60) {
    const auto id =
        cloud.run_instances({.instance_type = "m4.xlarge", .availability_zone = zone}, 1);
    run(std::chrono::seconds{seconds});
    return id.at(0);
  }
  // A spot instance that has been running since 22 s after now. The clock then stands at now + 60
  // s.
  SpotRequestId spot(const Pool& pool = kB, const std::string& type = "one-time",
                     std::optional<Usd> max_price = {}) {
    const auto id = cloud.request_spot_instances({.instance_type = pool.instance_type,
                                                  .availability_zone = pool.availability_zone,
                                                  .max_price = max_price},
                                                 1, type);
    run(60s);
    return id.at(0);
  }
  const SpotRequest& request(const SpotRequestId& id) { return cloud.spot_requests().at(id); }
  const Instance& instance_of(const SpotRequestId& id) {
    return cloud.instance(request(id).instance);
  }
  std::string default_subnet(const std::string& zone) {
    return cloud.network().subnets.default_of(zone)->id;
  }
  VolumeId volume(const std::string& zone = "us-west-2b", int gib = 100) {
    const VolumeId id = cloud.create_volume({zone, gib, "gp2", {}, {}});
    run(5s);
    return id;
  }
  // p3.2xlarge in 2a and 2b.
  static SpotFleetRequest fleet_request(double target = 1) {
    SpotFleetRequest request;
    request.config.target_capacity = target;
    request.config.launch_specs = {
        {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2a, us-west-2b"}};
    return request;
  }

  Simulation simulation{kStart};
  EventLog log;
  Streams streams;
  market::Market market;
  FakeHost host;
  Cloud cloud;
  LogWriter log_writer{simulation, log};
  std::vector<Event> events;
  std::string lines;
  std::map<std::string, std::string> last_state;
};

}  // namespace sim::cloud
