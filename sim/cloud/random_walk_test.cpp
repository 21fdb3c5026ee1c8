// Random calls at random times against one account. CloudWorld checks each state line against the
// tables. This file checks sums that must always hold.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cloud/world_for_test.h"

namespace sim::cloud {
namespace {

constexpr int kSteps = 2500;

market::PriceHistory jumpy_prices(Stream& draw) {
  market::PriceHistory history = default_prices();
  for (auto& [pool, steps] : history.pools)
    for (int i = 1; i < 400; ++i)
      steps.push_back(
          {kStart + i * 10min, {static_cast<std::int64_t>(100 + draw.below(3500)) * 1'000'000}});
  return history;
}

Durations drawn_durations() {
  Durations d;  // the defaults are ranges
  d.volume_detaching = {0s, 20s};
  return d;
}

class Walk {
 public:
  explicit Walk(std::uint64_t seed)
      : draw_(Streams{seed}.stream("walk")), w_(jumpy_prices(draw_), seed, drawn_durations()) {}

  void step() {
    const auto choice = calls();
    CloudWorld::refusal([&] { choice[draw_.below(choice.size())](); });
    w_.host.mounted = draw_.below(4) == 0;
    w_.host.hold_machines = draw_.below(8) == 0;
    if (draw_.below(3) == 0) w_.host.release();
    w_.run(std::chrono::seconds{draw_.below(40)});
    check_capacity();
    check_revisions();
  }

  CloudWorld& world() { return w_; }
  int volume_changes() const { return volume_changes_; }

 private:
  template <class Id, class T>
  Id any(const std::map<Id, T>& table) {
    if (table.empty()) return {"i-none"};
    return std::next(table.begin(), static_cast<long>(draw_.below(table.size())))->first;
  }
  // Mostly a recently launched instance, which probably still runs.
  InstanceId any_instance() {
    std::vector<InstanceId> live;
    for (const auto& [id, instance] : w_.cloud.instances())
      if (!instance.terminated_at) live.push_back(id);
    return live.empty() ? any(w_.cloud.instances()) : live[draw_.below(live.size())];
  }
  Pool any_pool() { return std::vector{kA, kB, kC}[draw_.below(3)]; }
  std::string any_zone() { return any_pool().availability_zone; }
  LaunchSpec any_spec() {
    const Pool pool = any_pool();
    LaunchSpec spec{.instance_type = pool.instance_type,
                    .availability_zone = pool.availability_zone};
    if (draw_.below(2))
      spec.max_price = Usd{static_cast<std::int64_t>(draw_.below(4)) * 1'000'000'000};
    return spec;
  }
  SpotFleetRequest any_fleet() {
    SpotFleetRequest request;
    request.config.target_capacity = static_cast<double>(draw_.below(5));
    request.config.type = draw_.below(4) ? "maintain" : "request";
    request.config.strategy = static_cast<AllocationStrategy>(draw_.below(3));
    for (int i = 0; i < 2; ++i) request.config.launch_specs.push_back(any_spec());
    request.config.launch_specs[0].weighted_capacity =
        0.5 * static_cast<double>(1 + draw_.below(4));
    return request;
  }

  // The calls to choose from. Some are listed twice, to be more frequent.
  std::vector<std::function<void()>> calls() {
    Cloud& c = w_.cloud;
    const bool coin = draw_.below(2) == 0;
    const auto notice = coin ? Cloud::Notice::kGiven : Cloud::Notice::kNone;
    const char* device = coin ? "/dev/sdf" : "sdg";
    return {
        [&c] { c.run_instances({.instance_type = "m4.xlarge"}, 1); },
        [&c, this, coin, device] {
          c.run_instances({.instance_type = "m4.xlarge",
                           .block_devices = {{.device = device,
                                              .volume = {.size_gib = 10, .encrypted = coin},
                                              .delete_on_termination = draw_.below(2) == 0}}},
                          1);
        },
        [&c, this] {
          LaunchSpec spec = any_spec();
          spec.block_devices = {{.device = "/dev/sdh", .volume = {.from = any(c.snapshots())}}};
          c.request_spot_instances(spec, 1, "one-time");
        },
        [&c, this, coin] {
          c.request_spot_instances(any_spec(), 1, coin ? "persistent" : "one-time");
        },
        [&c, this] { c.request_spot_fleet(any_fleet()); },
        [&c, this, coin] { c.cancel_spot_fleet(any(c.fleets()), coin); },
        [&c, this] {
          c.modify_fleet(any(c.fleets()), {.target_capacity = static_cast<double>(draw_.below(6))});
        },
        [&c, this] { c.cancel_spot_request(any(c.spot_requests())); },
        [&c, this] { c.terminate_instances({any_instance()}); },
        [&c, this] { c.guest_powered_off(any_instance()); },
        [&c, this, notice] { c.interrupt(any_instance(), notice, "no-capacity"); },
        [&c, this, notice] { c.interrupt(any_instance(), notice, "no-capacity"); },
        [&c, this, notice] { c.reclaim(any_pool(), notice, "no-capacity"); },
        [this] { w_.market.set_capacity(any_pool(), static_cast<int>(draw_.below(4))); },
        [&c, this, coin] {
          c.create_volume({any_zone(), 10, coin ? "gp2" : "gp3", {}, {}});
        },
        [&c, this] {
          c.create_volume({any_zone(), 10, "gp2", any(c.snapshots()), {}});
        },
        [&c, this, device] { c.attach_volume(any(c.volumes()), any_instance(), device); },
        [&c, this, device] { c.attach_volume(any(c.volumes()), any_instance(), device); },
        [&c, this, coin] { c.detach_volume(any(c.volumes()), {}, coin); },
        [&c, this] { c.delete_volume(any(c.volumes())); },
        [&c, this] { c.create_snapshot(any(c.volumes()), "", {}); },
        [&c, this] { c.delete_snapshot(any(c.snapshots())); },
        [&c, this] {
          c.create_tags({any(c.volumes()).value}, {{"Name", "walk"}});
        },
        [&c, this, coin] {
          c.create_tags({any(c.volumes()).value}, {{"Name", coin ? "one" : "other"}});
        },
        [&c, this] { c.delete_tags({any(c.volumes()).value}, {"Name"}); },
    };
  }

  // Volumes with the same revision are equal in every field.
  void check_revisions() {
    for (const auto& [id, volume] : w_.cloud.volumes()) {
      Volume& before = volumes_.try_emplace(id, volume).first->second;
      if (before == volume) continue;
      EXPECT_NE(before.revision, volume.revision) << id.value;
      Volume revised = before;
      revised.revision = volume.revision;
      if (revised != volume) ++volume_changes_;
      before = volume;
    }
  }

  // No pool has more instances than slots.
  void check_capacity() {
    for (const Event& event : std::exchange(w_.events, {})) {
      if (event.kind == "capacity") {
        const Pool pool{event.fields.at("instance_type"), event.fields.at("availability_zone")};
        slots_[pool] = event.fields.at("slots");
      }
      if (event.kind == "charge")
        charged_ += usd(event.fields.at("cost").get<std::string>().c_str());
      if (event.kind != "instance.state") continue;
      const std::string id = event.fields.at("instance_id"), to = event.fields.at("to");
      if (to == "pending" && event.fields.at("lifecycle") == "spot") {
        const Pool pool{event.fields.at("instance_type"), event.fields.at("availability_zone")};
        in_pool_[id] = pool;
        ++used_[pool];
        EXPECT_LE(used_[pool], slots_.contains(pool) ? slots_[pool] : market::Market::kUnlimited);
      }
      if (to == "shutting-down" && in_pool_.contains(id)) --used_[in_pool_[id]];
    }
  }

 public:
  Usd charged() {
    check_capacity();
    return charged_;
  }

 private:
  Stream draw_;
  CloudWorld w_;
  std::map<Pool, int> slots_, used_;
  std::map<std::string, Pool> in_pool_;
  std::map<VolumeId, Volume> volumes_;
  int volume_changes_ = 0;
  Usd charged_;
};

void check_bill(Cloud& cloud, Usd charged) {
  std::map<std::string, Duration> billed;
  Usd sum;
  for (const LineItem& item : cloud.ledger().items()) {
    sum += item.cost;
    billed[item.resource] += item.to - item.from;
  }
  EXPECT_EQ(sum, cloud.ledger().total());
  EXPECT_EQ(sum, charged) << "the log says something else than the ledger";
  for (const auto& [id, instance] : cloud.instances()) {
    if (!instance.running_at) continue;
    EXPECT_EQ(billed[id.value], *instance.shutting_down_at - *instance.running_at) << id.value;
  }
}

class RandomWalk : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomWalk, KeepsEveryStateOnItsGraphAndTheBillWhole) {
  Walk walk{GetParam()};
  CloudWorld& w = walk.world();
  for (int i = 0; i < kSteps && !HasFailure(); ++i) walk.step();

  for (const auto& [id, fleet] : w.cloud.fleets())
    CloudWorld::refusal([&, fleet_id = id] { w.cloud.cancel_spot_fleet(fleet_id, true); });
  for (const auto& [id, request] : w.cloud.spot_requests()) w.cloud.cancel_spot_request(id);
  for (const auto& [id, instance] : w.cloud.instances())
    if (w.cloud.shows(instance)) w.cloud.terminate_instances({id});
  w.host.hold_machines = w.host.mounted = false;
  w.host.release();
  w.run(1h);
  EXPECT_FALSE(w.cloud.anything_running());
  for (const auto& [id, volume] : w.cloud.volumes()) EXPECT_FALSE(volume.attachment) << id.value;
  for (const auto& [id, fleet] : w.cloud.fleets())
    EXPECT_EQ(fleet.state, FleetState::kCancelled) << id.value;
  w.cloud.close_books();
  check_bill(w.cloud, walk.charged());
  EXPECT_GT(walk.volume_changes(), 200);
  EXPECT_GT(w.cloud.instances().size(), 300u) << "the walk has become too tame to show anything";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWalk, testing::Values(1, 2, 3, 4));

TEST(RandomWalks, AreTheSameForTheSameSeedAndAnotherForAnother) {
  const auto lines = [](std::uint64_t seed) {
    Walk walk{seed};
    for (int i = 0; i < 300; ++i) walk.step();
    return walk.world().lines;
  };
  EXPECT_EQ(lines(5), lines(5));
  EXPECT_NE(lines(5), lines(6));
}

}  // namespace
}  // namespace sim::cloud
