// The effects of faults on volumes and snapshots.
#include <set>

#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, ATransitionTakesLonger) {
  const std::string instance = w.instance(), volume = w.volume();
  strike("slow", {{"transition", "volume-attaching"}, {"takes", "20m"}});
  w.cloud.attach_volume({volume}, {instance}, "/dev/sdf");
  const Time asked = w.simulation.now();
  w.pass(1h);
  for (const Event& event : w.of_kind("attachment.state"))
    if (event.fields.at("to") == "attached" && event.fields.at("volume_id") == volume) {
      EXPECT_EQ(event.time - asked, 20min);
    }
  w.cloud.detach_volume({volume}, {}, false);
  w.pass(2min);
  w.cloud.attach_volume({volume}, {instance}, "/dev/sdf");
  w.pass(2min);
  EXPECT_EQ(w.cloud.volume({volume}).attachment->state, cloud::AttachmentState::kAttached)
      << "only one of them";
}

// The cloud draws durations with each name in the fault's list.
TEST_F(Kinds, EachNamedTransitionExists) {
  std::string words;
  for (const Parameter& parameter : find_kind("slow")->parameters)
    if (parameter.name == "transition") words = parameter.words;
  std::set<std::string> drawn;
  w.cloud.set_pace([&](std::string_view transition, Duration duration) {
    drawn.insert(std::string(transition));
    return duration;
  });
  const std::string instance = w.instance(), volume = w.volume();
  w.cloud.attach_volume({volume}, {instance}, "/dev/sdf");
  w.pass(1min);
  w.cloud.create_snapshot({volume}, "", {});
  w.cloud.detach_volume({volume}, {}, false);
  w.pass(1min);
  w.cloud.delete_volume({volume});
  w.cloud.terminate_instances({{instance}});
  cloud::SpotFleetRequest fleet;
  fleet.config.target_capacity = 1;
  fleet.config.launch_specs = {{.instance_type = "p3.2xlarge", .availability_zone = "us-west-2a"}};
  const auto id = w.cloud.request_spot_fleet(fleet);
  w.pass(5min);
  w.cloud.interrupt(w.cloud.fleet(id).instances.at(0), cloud::Cloud::Notice::kNone, "no-capacity");
  w.pass(5min);
  drawn.erase("tags-visible");  // a fault of its own
  std::set<std::string> named;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    named.insert(words.substr(at, end - at));
    at = end + 1;
  }
  EXPECT_EQ(named, drawn);
}

TEST_F(Kinds, ASnapshotFailsWhileItIsPendingOnly) {
  const std::string volume = w.volume();
  w.play({fault(OnEvent{.event = "snapshot.state", .fields = {{"to", "pending"}}, .after = 1s},
                "snapshot-error"),
          fault(OnEvent{.event = "snapshot.state", .fields = {{"to", "completed"}}},
                "snapshot-error")});
  const auto failed = w.cloud.create_snapshot({volume}, "", {});
  w.pass(1h);
  EXPECT_EQ(w.cloud.snapshot(failed).state, cloud::SnapshotState::kError);
  const auto whole = w.cloud.create_snapshot({volume}, "", {});
  w.pass(1h);
  EXPECT_EQ(w.strikes(), 2U);
  EXPECT_EQ(w.cloud.snapshot(whole).state, cloud::SnapshotState::kCompleted);
  EXPECT_EQ(w.ec2("DeleteSnapshot", {{"SnapshotId", failed.value}}).status(), 200);
}

TEST_F(Kinds, AVolumeFailsWhereverItIs) {
  const std::string instance = w.instance(), attached = w.volume();
  w.cloud.attach_volume({attached}, {instance}, "/dev/sdf");
  w.pass(1min);
  strike("volume-error");
  EXPECT_EQ(w.cloud.volume({attached}).state, cloud::VolumeState::kInUse);
  w.cloud.detach_volume({attached}, {}, false);
  w.pass(1min);
  EXPECT_EQ(w.cloud.volume({attached}).state, cloud::VolumeState::kError);

  FaultWorld creating;
  creating.play(
      {fault(OnCall{.side = OnCall::Side::kAfter, .action = "CreateVolume"}, "volume-error")});
  const std::string volume = creating.volume();
  EXPECT_EQ(creating.cloud.volume({volume}).state, cloud::VolumeState::kError);
  EXPECT_EQ(creating.ec2("DeleteVolume", {{"VolumeId", volume}}).status(), 200);
}

TEST_F(Kinds, ADuplicateVolumeHasTheSameTags) {
  const std::string volume = w.volume();
  w.cloud.create_tags({volume}, {{"Name", "data"}});
  const auto snapshot = w.cloud.create_snapshot({volume}, "", {});
  w.pass(1h);
  const auto restored = w.cloud.create_volume(
      {.availability_zone = "us-west-2a", .from = snapshot, .tags = {{"Name", "data"}}});
  strike("duplicate-volume");
  w.pass(1min);
  std::vector<const cloud::Volume*> twins;
  for (const auto& [id, one] : w.cloud.volumes())
    if (one.snapshot == snapshot) twins.push_back(&one);
  ASSERT_EQ(twins.size(), 2U);
  EXPECT_EQ(twins[0]->tags, twins[1]->tags);
  EXPECT_EQ(twins[0]->availability_zone, twins[1]->availability_zone);
  EXPECT_EQ(twins[0]->size_gib, twins[1]->size_gib);
  EXPECT_EQ(w.cloud.volume(restored).state, cloud::VolumeState::kAvailable);
}

TEST_F(Kinds, ADamagedVolumeIsTheNewestOfData) {
  w.instance();
  const cloud::VolumeId data = w.cloud.create_volume(
      {.availability_zone = "us-west-2b", .size_gib = 1, .type = "gp2", .tags = {}});
  w.pass(1min);
  strike("damage-volume");
  EXPECT_EQ(w.guests.zeroed, std::vector<std::string>{data.value});
}

}  // namespace
}  // namespace sim::faults
