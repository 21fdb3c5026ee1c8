// What faults do to calls of AWS.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST_F(Kinds, ACallFailsBeforeOrAfterItsEffect) {
  const fakes::Fields eight{{"AvailabilityZone", "us-west-2b"}, {"Size", "8"}};
  w.play({fault(OnCall{.action = "CreateVolume"}, "api-error",
                {{"code", "InsufficientVolumeCapacity"}, {"status", "503"}})});
  const fakes::Answer before = w.ec2("CreateVolume", eight);
  EXPECT_EQ(before.code(), "InsufficientVolumeCapacity");
  EXPECT_EQ(before.status(), 503);
  EXPECT_TRUE(w.cloud.volumes().empty());

  FaultWorld other;
  other.play({fault(OnCall{.action = "CreateVolume"}, "api-error", {{"effect", "true"}})});
  EXPECT_EQ(other.ec2("CreateVolume", eight).code(), "InternalError");
  EXPECT_EQ(other.cloud.volumes().size(), 1U);
  EXPECT_EQ(other.of_kind("api.call").at(0).fields.at("result"), "InternalError");
}

TEST_F(Kinds, TroubleLastsForSomeCallsOrSomeTimeOrOne) {
  strike("api-throttled", {{"times", "2"}, {"action", "DescribeVolumes"}});
  EXPECT_EQ(w.ec2("DescribeInstances").status(), 200);
  EXPECT_EQ(w.ec2("DescribeVolumes").code(), "RequestLimitExceeded");
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 503);
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 200);

  FaultWorld timed;
  timed.play(
      {fault(AtTime{1min}, "api-expired", {{"for", "1m"}}), fault(AtTime{5min}, "api-expired")});
  timed.pass(90s);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(timed.ec2("DescribeVolumes").code(), "RequestExpired");
  timed.pass(30s);
  EXPECT_EQ(timed.ec2("DescribeVolumes").status(), 200);
  timed.pass(10min);
  EXPECT_EQ(timed.ec2("DescribeInstances").code(), "RequestExpired");
  EXPECT_EQ(timed.ec2("DescribeInstances").status(), 200);
}

// An AWS client's own time-out and the end of the trouble are both possible. The first one counts.
TEST_F(Kinds, TimesAndTimeTogetherEndWithTheFirst) {
  w.play({fault(AtTime{1min}, "api-error", {{"for", "1m"}, {"times", "5"}})});
  w.pass(2min);
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 200);
}

TEST_F(Kinds, TroubleOfACallIsItsCallersAndItsActions) {
  w.play({fault(OnCall{.action = "DescribeVolumes", .caller = "operator"}, "api-error",
                {{"times", "2"}}),
          fault(OnCall{.action = "DescribeSnapshots"}, "api-error",
                {{"times", "2"}, {"action", "any"}})});
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 500);
  EXPECT_EQ(w.ec2_of("i-0123", "DescribeVolumes").status(), 200);
  EXPECT_EQ(w.ec2("DescribeInstances").status(), 200);
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 500);
  EXPECT_EQ(w.ec2("DescribeSnapshots").status(), 500);
  EXPECT_EQ(w.ec2("DescribeInstances").status(), 500);
}

TEST_F(Kinds, AnswersComeLateOrNever) {
  const Duration usual = w.delay_of("DescribeVolumes");
  w.play({fault(OnCall{.action = "DescribeVolumes"}, "api-slow", {{"delay", "7s"}}),
          fault(OnCall{.action = "DescribeVolumes", .nth = 2}, "api-lost-answer")});
  EXPECT_EQ(w.delay_of("DescribeVolumes"), usual + 7s);
  EXPECT_EQ(w.delay_of("DescribeVolumes"), usual + fakes::kNoAnswer);
  EXPECT_EQ(w.delay_of("DescribeVolumes"), usual);
}

TEST_F(Kinds, ALostAnswerIsOfACallThatWasDoneALostRequestIsNot) {
  const fakes::Fields eight{{"AvailabilityZone", "us-west-2b"}, {"Size", "8"}};
  w.play({fault(OnCall{.action = "CreateVolume"}, "api-lost-request")});
  w.ec2("CreateVolume", eight);
  EXPECT_TRUE(w.cloud.volumes().empty());
  FaultWorld other;
  other.play({fault(OnCall{.action = "CreateVolume"}, "api-lost-answer")});
  other.ec2("CreateVolume", eight);
  EXPECT_EQ(other.cloud.volumes().size(), 1U);
}

TEST_F(Kinds, DescriptionsShowThePastForAWhile) {
  const std::string old = w.volume(), young = w.volume();
  w.play({fault(AtTime{30s}, "stale-describe", {{"for", "10m"}})});
  w.pass(31s);
  w.cloud.delete_volume({young});
  const auto newest = w.cloud.create_volume({.availability_zone = "us-west-2b", .size_gib = 8});
  w.pass(2min);
  const auto listed = [&] {
    return w.ec2("DescribeVolumes").all("volumeSet/item/volumeId").size();
  };
  const fakes::Fields named{{"VolumeId.1", newest.value}};
  EXPECT_EQ(listed(), 2U) << "old and young";
  EXPECT_EQ(w.ec2("DescribeVolumes", named).code(), "InvalidVolume.NotFound");
  EXPECT_EQ(w.ec2("DescribeVolumes", {{"VolumeId.1", young}}).at("volumeSet/item/status"),
            "available");
  EXPECT_EQ(w.cloud.volume({young}).state, cloud::VolumeState::kDeleted) << "as it is";
  EXPECT_EQ(w.ec2("DeleteVolume", {{"VolumeId", newest.value}}).status(), 200)
      << "what does something sees what there is";
  w.pass(10min);
  EXPECT_EQ(listed(), 1U);
  EXPECT_EQ(w.ec2("DescribeVolumes", {{"VolumeId.1", old}}).status(), 200);
}

TEST_F(Kinds, OnlyTheStruckMachineSeesThePast) {
  w.play({fault(OnCall{.action = "DescribeVolumes", .caller = "operator"}, "stale-describe")});
  w.ec2("DescribeVolumes");
  w.cloud.create_volume({.availability_zone = "us-west-2b", .size_gib = 8});
  EXPECT_TRUE(w.ec2("DescribeVolumes").all("volumeSet/item").empty());
  EXPECT_EQ(w.ec2_of("i-0123", "DescribeVolumes").all("volumeSet/item").size(), 1U);
}

TEST_F(Kinds, NewTagsAreSeenLater) {
  const std::string volume = w.volume();
  w.cloud.create_tags({volume}, {{"Name", "before"}});
  strike("tags-late", {{"takes", "2m"}, {"times", "2"}});
  const auto tagged = [&](const std::string& value) {
    return w.ec2("DescribeVolumes", {{"Filter.1.Name", "tag:Name"}, {"Filter.1.Value.1", value}})
        .all("volumeSet/item")
        .size();
  };
  w.cloud.create_tags({volume}, {{"Name", "after"}});
  w.cloud.create_volume(
      {.availability_zone = "us-west-2b", .size_gib = 8, .tags = {{"Name", "made"}}});
  w.cloud.create_volume(
      {.availability_zone = "us-west-2b", .size_gib = 8, .tags = {{"Name", "third"}}});
  EXPECT_EQ(tagged("before"), 1U);
  EXPECT_EQ(tagged("after") + tagged("made"), 0U);
  EXPECT_EQ(tagged("third"), 1U);
  EXPECT_EQ(w.of_kind("tags.created").size(), 4U) << "the log has what is so, seen or not";
  w.pass(2min);
  EXPECT_EQ(w.of_kind("tags.created").size(), 4U);
  EXPECT_EQ(tagged("before"), 0U);
  EXPECT_EQ(tagged("after"), 1U);
  EXPECT_EQ(tagged("made"), 1U);
}

TEST_F(Kinds, ATagThatComesAfterItsVolumesEndComesToNothing) {
  strike("tags-late", {{"takes", "1h"}});
  const auto volume = w.cloud.create_volume(
      {.availability_zone = "us-west-2b", .size_gib = 8, .tags = {{"Name", "made"}}});
  w.pass(1min);
  w.cloud.delete_volume(volume);
  w.pass(2h);
  EXPECT_EQ(w.of_kind("tags.created").size(), 1U) << "the log has what is so, seen or not";
}

}  // namespace
}  // namespace sim::faults
