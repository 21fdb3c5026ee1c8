// For tests: a job's volume in a fake EC2, and instances in any zone that bring the volume to
// themselves.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "orchestrator/failure.h"
#include "orchestrator/fake_ec2_for_test.h"
#include "orchestrator/instance/volume_hop.h"
#include "orchestrator/job/tags.h"

namespace spotrun::testing {

// A volume with content 1 in us-west-2b, and instances that come and go.
struct HopWorld {
  HopWorld() { old = ec2.add_volume("us-west-2b", {{"Name", "data"}, {"owner", "me"}}, 1).id; }

  // Boots an instance in the zone, which brings the volume. If a crash kills the process, the
  // instance terminates. Returns true if it came to its end.
  bool boot(const std::string& zone) {
    const FakeInstance& instance = ec2.add_instance(zone);
    last = instance.id;
    FakeProcess process(clock, ec2);
    try {
      bring_volume(process.context, job, identity_of(instance));
      return true;
    } catch (const Crash&) {
      ec2.terminate(instance.id);
      return false;
    }
  }

  // The same, but repeats the attempt after temporary errors.
  void settle(const std::string& zone) {
    for (int tries = 0; tries < 5; ++tries) {
      try {
        ASSERT_TRUE(boot(zone));
        return;
      } catch (const TryAgain&) {
        ec2.terminate(last);
      }
    }
    FAIL() << "tried again and again";
  }

  // Crashes before or after the effect of the n-th change from now on.
  void crash_at(int n, bool after_effect) {
    const int from = static_cast<int>(ec2.calls.size());
    ec2.around = [=](int call, bool after) {
      if (call == from + n && after == after_effect) throw Crash();
    };
  }
  void no_more_crashes() {
    ec2.around = [](int, bool) {};
  }

  FakeVolume* attached_volume() {
    for (auto* volume : ec2.live_volumes()) {
      if (volume->holder == last) return volume;
    }
    return nullptr;
  }

  // Expects exactly one volume, with the job's tag, attached to the last instance, and no
  // leftovers.
  void expect_settled(int content) {
    const auto live = ec2.live_volumes();
    ASSERT_EQ(live.size(), 1u);
    EXPECT_EQ(live[0]->holder, last);
    EXPECT_EQ(live[0]->attachment, "attached");
    EXPECT_EQ(live[0]->content, content);
    EXPECT_EQ(live[0]->tags["Name"], "data");
    EXPECT_EQ(live[0]->tags["owner"], "me");
    EXPECT_FALSE(live[0]->tags.contains(tags::kHopOf));
    EXPECT_FALSE(live[0]->tags.contains(tags::kHopGeneration));
    EXPECT_TRUE(ec2.snapshots.empty());
  }

  FakeClock clock;
  FakeEc2 ec2{clock};
  Job job = test_job();
  std::string old, last;
};

// The number of requests in a hop that change something.
inline int changes_of_a_hop() {
  HopWorld world;
  EXPECT_TRUE(world.boot("us-west-2a"));
  return static_cast<int>(world.ec2.calls.size());
}

}  // namespace spotrun::testing
