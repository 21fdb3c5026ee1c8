// What each kind does to the world.
#include "sim/faults/kinds.h"

#include <set>

#include "sim/faults/world_for_test.h"

namespace sim::faults {
namespace {

using cloud::InstanceState;
using market::Pool;

const Pool kA{"p3.2xlarge", "us-west-2a"}, kB{"p3.2xlarge", "us-west-2b"};

struct Kinds : testing::Test {
  void strike(const std::string& kind, const Texts& arguments = {}) {
    w.play({fault(AtTime{30s}, kind, arguments)});
    w.pass(31s);
    ASSERT_EQ(w.strikes(), 1U);
  }
  double price(const Pool& pool) {
    return w.cloud.market().spot_price(pool, w.simulation.now())->dollars();
  }
  int capacity(const Pool& pool) { return w.cloud.market().capacity(pool); }
  FaultWorld w;
};

TEST(Catalogue, NamesAndParametersAreUniqueAndDefaultsAreValues) {
  std::set<std::string_view> names;
  for (const Kind* kind : kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_EQ(find_kind(kind->name), kind);
    EXPECT_FALSE(kind->does.empty());
    std::set<std::string_view> parameters;
    for (const Parameter& parameter : kind->parameters) {
      EXPECT_TRUE(parameters.insert(parameter.name).second) << kind->name << ' ' << parameter.name;
      if (parameter.fallback.empty()) continue;
      EXPECT_NO_THROW(argument_of(parameter, std::string(parameter.fallback)));
    }
  }
  EXPECT_EQ(find_kind("none"), nullptr);
}

// ---- instances

TEST_F(Kinds, AnInterruptionHasItsNotice) {
  const auto id = w.spot();
  strike("interrupt");
  const auto& instance = w.cloud.instance(id);
  EXPECT_EQ(*instance.interruption_at - *instance.interruption_notice_at, 2min);
  EXPECT_EQ(instance.state, InstanceState::kRunning);
  w.pass(2min);
  EXPECT_EQ(instance.state_reason_code, "Server.SpotInstanceTermination");
}

TEST_F(Kinds, AnInterruptionsNoticeCanBeLateOrMissing) {
  const auto late = w.spot();
  strike("interrupt", {{"notice", "5s"}, {"reason", "by-price"}});
  EXPECT_EQ(w.state(late), InstanceState::kRunning);
  EXPECT_EQ(w.cloud.spot_requests().at(w.cloud.instance(late).spot_request).status_code,
            "instance-terminated-by-price");
  w.pass(5s);
  EXPECT_EQ(w.state(late), InstanceState::kShuttingDown);

  FaultWorld other;
  const auto without = other.spot();
  other.play({fault(AtTime{10s}, "interrupt", {{"notice", "0s"}})});
  other.pass(2min);
  EXPECT_EQ(other.state(without), InstanceState::kTerminated);
  EXPECT_FALSE(other.cloud.instance(without).interruption_notice_at);
}

TEST_F(Kinds, AnInterruptionSparesWhatIsNotSpot) {
  const std::string id = w.instance();
  strike("interrupt");
  EXPECT_EQ(w.state({id}), InstanceState::kRunning);
  EXPECT_FALSE(w.cloud.instance({id}).interruption_notice_at);
}

TEST_F(Kinds, ReclaimTakesAllOfThePoolsThatItNames) {
  const auto a = w.spot("us-west-2a"), first = w.spot(), second = w.spot();
  strike("reclaim", {{"zone", "us-west-2b"}, {"notice", "1m"}});
  EXPECT_FALSE(w.cloud.instance(a).interruption_notice_at);
  EXPECT_TRUE(w.cloud.instance(first).interruption_notice_at);
  EXPECT_TRUE(w.cloud.instance(second).interruption_notice_at);
  w.pass(2min);
  EXPECT_EQ(w.state(a), InstanceState::kRunning);
  EXPECT_EQ(w.state(second), InstanceState::kTerminated);
}

TEST_F(Kinds, APowerCutTakesTheNewestThatRunsOrTheNamedOne) {
  const auto first = w.spot(), second = w.spot();
  strike("power-cut");
  EXPECT_EQ(w.state(first), InstanceState::kRunning);
  EXPECT_EQ(w.state(second), InstanceState::kShuttingDown);

  FaultWorld other;
  const auto named = other.spot();
  other.spot();
  other.play({fault(AtTime{10min}, "power-cut", {{"instance", "1"}}),
              fault(AtTime{10min}, "power-cut", {{"instance", "7"}})});
  other.pass(11min);
  EXPECT_EQ(other.strikes(), 2U);
  EXPECT_EQ(other.state(named), InstanceState::kTerminated);
  EXPECT_EQ(other.cloud.instances().size(), 2U) << "there is no seventh";
}

TEST_F(Kinds, APowerCutCanTakeTheVolumesToo) {
  const auto id = w.spot();
  const std::string volume = w.volume();
  w.cloud.attach_volume({volume}, id, "/dev/sdf");
  w.pass(1min);
  strike("power-cut", {{"volumes", "lost"}});
  w.pass(5min);
  EXPECT_EQ(w.cloud.volume({volume}).state, cloud::VolumeState::kError);
}

TEST_F(Kinds, AHostFailureIsNoInterruption) {
  const auto id = w.spot();
  strike("host-failure");
  EXPECT_EQ(w.cloud.instance(id).state_reason_code, "Server.InternalError");
  EXPECT_TRUE(w.of_kind("spot.interruption").empty());
}

TEST_F(Kinds, ARebalanceRecommendationComesToNothing) {
  const auto id = w.spot();
  strike("rebalance");
  w.pass(24h);
  EXPECT_TRUE(w.cloud.instance(id).rebalance_recommended_at);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
}

// ---- the market

TEST_F(Kinds, ADrainEndsAndWhatRunsGoesOn) {
  const int usual = capacity(kB);
  const auto id = w.spot();
  strike("drain", {{"zone", "us-west-2b"}, {"for", "10m"}});
  EXPECT_EQ(capacity(kB), 0);
  EXPECT_EQ(capacity(kA), usual);
  EXPECT_EQ(w.state(id), InstanceState::kRunning);
  w.pass(10min);
  EXPECT_EQ(capacity(kB), usual);
}

TEST_F(Kinds, DrainsThatOverlapEndWithTheLast) {
  const int usual = capacity(kB);
  w.play({fault(AtTime{1min}, "drain", {{"for", "10m"}, {"slots", "3"}}),
          fault(AtTime{5min}, "drain", {{"for", "10m"}, {"pool", "p3.2xlarge/us-west-2b"}})});
  w.pass(2min);
  EXPECT_EQ(capacity(kB), 3);
  w.pass(10min);  // 12 min
  EXPECT_EQ(capacity(kA), usual);
  EXPECT_EQ(capacity(kB), 0);
  w.pass(4min);
  EXPECT_EQ(capacity(kB), usual);
}

TEST_F(Kinds, APriceSpikePassesAndTakesWhoDoesNotPayIt) {
  const auto poor = w.spot("us-west-2b", market::parse_usd("1")), rich = w.spot();
  w.play(
      {fault(AtTime{10min}, "price", {{"type", "p3.2xlarge"}, {"factor", "3"}, {"for", "20m"}}),
       fault(AtTime{20min}, "price", {{"zone", "us-west-2b"}, {"factor", "2"}, {"for", "20m"}})});
  w.pass(11min);
  EXPECT_DOUBLE_EQ(price(kB), 2.7);
  EXPECT_TRUE(w.cloud.instance(poor).interruption_notice_at);
  EXPECT_FALSE(w.cloud.instance(rich).interruption_notice_at);
  w.pass(10min);
  EXPECT_DOUBLE_EQ(price(kB), 1.8) << "twice the price without faults";
  w.pass(10min);
  EXPECT_DOUBLE_EQ(price(kA), 0.918);
  EXPECT_DOUBLE_EQ(price(kB), 1.8);
  w.pass(10min);
  EXPECT_DOUBLE_EQ(price(kB), 0.9);
}

// ---- AWS's API

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

// Both an AWS client's own time-out and the end of the trouble are possible: whichever is first.
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

// ---- instance metadata

TEST_F(Kinds, MetadataAnswersWithAnErrorOnItsPathsForAWhile) {
  const std::string first = w.instance(), second = w.instance();
  strike("imds-error", {{"status", "503"}, {"path", "meta-data/mac"}, {"instance", "1"}});
  const auto status = [this](const std::string& id, const std::string& path) {
    return w.metadata(id, path).response.result_int();
  };
  EXPECT_EQ(status(first, "/latest/meta-data/mac"), 503U);
  EXPECT_EQ(status(first, "/latest/meta-data/hostname"), 200U);
  EXPECT_EQ(status(second, "/latest/meta-data/mac"), 200U);
  EXPECT_EQ(w.guests.told, std::vector{first});
  w.pass(1min);
  EXPECT_EQ(status(first, "/latest/meta-data/mac"), 200U);
  EXPECT_EQ(w.guests.told, (std::vector{first, first})) << "also when it is over";
}

TEST_F(Kinds, MetadataIsSlowOrSilent) {
  const std::string id = w.instance();
  const Duration usual = w.metadata(id, "/latest/meta-data/mac").delay;
  strike("imds-slow", {{"times", "1"}});
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").delay, usual + 5s);
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").delay, usual);

  FaultWorld other;
  const std::string silent = other.instance();
  other.play({fault(OnMetadata{.path = "/latest/api/token"}, "imds-down")});
  EXPECT_GE(other.metadata(silent, "/latest/api/token", boost::beast::http::verb::put).delay,
            fakes::kNoAnswer);
  EXPECT_GE(other.metadata(silent, "/latest/meta-data/mac").delay, fakes::kNoAnswer);
}

TEST(SilentMetadata, IsSaidWhereItHidesNotices) {
  // In seconds from the strike; 0: nothing is said.
  const auto silence = [](const std::string& kind, const Texts& arguments) {
    FaultWorld world;
    world.instance();
    world.play({fault(AtTime{30s}, kind, arguments)});
    world.pass(31s);
    EXPECT_EQ(world.strikes(), 1U);
    const auto told = world.of_kind("fault.silence");
    if (told.empty()) return 0.0;
    const Time until = parse_time(told.front().fields.at("until").get<std::string>()).value();
    return seconds(until - told.front().time);
  };
  EXPECT_EQ(silence("imds-down", {{"for", "10m"}}), 600);
  EXPECT_EQ(silence("imds-error", {{"for", "15s"}}), 15);
  EXPECT_EQ(silence("imds-down", {{"for", "15s"}, {"path", "api/token"}}), 15);
  EXPECT_EQ(silence("imds-down", {{"for", "15s"}, {"path", "meta-data/mac"}}), 0);
  EXPECT_EQ(silence("imds-slow", {{"for", "15s"}}), 0);
}

// ---- storage

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

// Every name in the fault's list is one that the cloud draws.
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
  drawn.erase("tags-visible");  // a kind of its own
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

// ---- eventual consistency

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
  w.pass(2min);
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
  EXPECT_TRUE(w.of_kind("tags.created").empty());
}

TEST_F(Kinds, AFleetLaunchesOneTooMany) {
  cloud::SpotFleetRequest request;
  request.config.target_capacity = 1;
  request.config.launch_specs = {
      {.instance_type = "p3.2xlarge", .availability_zone = "us-west-2a"}};
  const auto fleet = w.cloud.request_spot_fleet(request);
  w.pass(2min);
  strike("duplicate-instance");
  w.pass(2min);
  EXPECT_EQ(w.cloud.fleet(fleet).instances.size(), 2U);
  w.cloud.cancel_spot_fleet(fleet, true);
  w.pass(5min);
  EXPECT_FALSE(w.cloud.anything_running());
}

TEST_F(Kinds, MetadataWantsTokensFromThenOn) {
  const std::string id = w.instance();
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 200U);
  strike("imds-v2-required");
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 401U);
  EXPECT_EQ(w.guests.told, std::vector{id});
}

// ---- guests

TEST_F(Kinds, AGuestsFaultGoesToItsInstance) {
  const std::string first = w.instance();
  w.instance();
  strike("damage-file",
         {{"path", "/data/*.h5"}, {"how", "flipped"}, {"byte", "7"}, {"instance", "1"}});
  ASSERT_EQ(w.guests.inflicted.size(), 1U);
  const auto& [instance, damage] = w.guests.inflicted[0];
  EXPECT_EQ(instance, first);
  EXPECT_EQ(damage.what, guest::GuestFault::What::kDamage);
  EXPECT_EQ(damage.path, "/data/*.h5");
  EXPECT_EQ(damage.damage, guest::GuestFault::Damage::kFlipped);
  EXPECT_EQ(damage.byte, 7);
}

TEST(Catalogue, WhatTheGuestsCannotHaveIsRefused) {
  NullGuests guests;
  const Plan plan{fault(AtTime{1s}, "power-cut"), fault(AtTime{1s}, "disk-full")};
  EXPECT_EQ(first_refused(plan, guests), std::nullopt);
  guests.unable = guest::GuestFault::What::kDiskFull;
  EXPECT_EQ(first_refused(plan, guests), 1U);
}

}  // namespace
}  // namespace sim::faults
