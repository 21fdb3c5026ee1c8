#include "sim/serve/testbed.h"

#include "base/files/folder_for_test.h"
#include "sim/serve/metadata_address.h"
#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

TEST(Served, FollowsTheWallClock) {
  Tested t("60x");
  const std::string id = t.launch();
  EXPECT_EQ(t.state_of(id), "pending");
  ASSERT_TRUE(t.testbed->idle_for(t.real));
  t.real += 100ms;
  t.testbed->keep_up(t.real);
  EXPECT_EQ(t.state_of(id), "pending");
  t.real += 400ms;
  t.testbed->keep_up(t.real);
  EXPECT_EQ(t.state_of(id), "running");
  EXPECT_EQ(t.testbed->served().now(), kBegin + 30s);
}

TEST(Served, WakesWhenSomethingIsDue) {
  Tested t("60x");
  const std::string id = t.launch();
  for (int i = 0; i < 100 && t.state_of(id) == "pending"; ++i) {
    t.real += t.testbed->idle_for(t.real).value();
    t.testbed->keep_up(t.real);
  }
  EXPECT_EQ(t.state_of(id), "running");
  EXPECT_LE(t.testbed->served().now(), kBegin + 31s);
}

// Due events are processed in pieces, with requests in between.
TEST(Served, AnswersWhileALargeFleetStarts) {
  Tested t("60x");
  cloud::SpotFleetRequest fleet;
  fleet.config.target_capacity = 3000;
  fleet.config.launch_specs = {{.image_id = "ami-0123456789abcdef0",
                                .instance_type = "p3.2xlarge",
                                .availability_zone = "us-west-2b"}};
  t.testbed->served().cloud().request_spot_fleet(fleet);
  t.real += 60s;
  t.testbed->keep_up(t.real);
  EXPECT_LT(t.testbed->served().now(), kBegin + 1h);
  EXPECT_EQ(t.testbed->idle_for(t.real), RealTime{}) << "there is more to do";
  EXPECT_NE(t.ec2("DescribeAvailabilityZones").find("us-west-2b"), std::string::npos);
  EXPECT_LT(t.testbed->served().now(), kBegin + 1h);
  for (int i = 0; i < 30; ++i) t.testbed->keep_up(t.real);
  EXPECT_EQ(t.testbed->served().now(), kBegin + 1h);
}

TEST(Served, AtSpeedManualTimeStandsStillUntilACallMovesIt) {
  Tested t("manual");
  const std::string id = t.launch();
  t.real += 24h;
  t.testbed->keep_up(t.real);
  EXPECT_FALSE(t.testbed->idle_for(t.real));
  EXPECT_EQ(t.state_of(id), "pending");
  EXPECT_EQ(t.testbed->served().now(), kBegin);
  t.post("clock", {{"to", "2019-11-05T10:00:30Z"}});
  EXPECT_EQ(t.state_of(id), "running");
}

// Each call finds the next change done, so clients need not sleep.
TEST(Served, AtMaxTheClientsSetThePace) {
  Tested t("max");
  const std::string id = t.launch();
  EXPECT_EQ(t.state_of(id), "pending");
  int looks = 0;
  while (t.state_of(id) != "running" && ++looks < 10) t.ec2("DescribeInstances");
  EXPECT_LE(looks, 2);
  EXPECT_LE(t.testbed->served().now(), kBegin + 15s + 30s);
  EXPECT_FALSE(t.testbed->idle_for(t.real + 24h));
  const Time before = t.testbed->served().now();
  t.ask("GET", "/_spotsim/clock");
  EXPECT_EQ(t.testbed->served().now(), before);
}

TEST(Served, SameCallsGiveTheSameLog) {
  const auto play = [](const char* speed) {
    Tested t(speed);
    const std::string id = t.launch(true);
    t.ask("GET", "/_spotsim/imds/" + id + "/latest/meta-data/instance-id");
    t.post("clock", {{"by", "10m"}});
    t.post("interrupt", {{"instance", id}, {"how", "notice"}});
    t.ec2("DescribeInstances");
    t.ec2("Nonsense");
    t.post("clock", {{"by", "10m"}});
    t.ec2("DescribeInstances");
    EXPECT_EQ(t.state_of(id), "terminated");
    return t.log();
  };
  EXPECT_EQ(play("manual"), play("manual"));
  EXPECT_EQ(play("max"), play("max"));
}

TEST(Served, InTheInstantProfileTransitionsTakeNoTime) {
  Tested t("manual", Profile::kInstant);
  const std::string id = t.launch();
  EXPECT_EQ(t.state_of(id), "running");
  EXPECT_EQ(t.events.back().kind, "instance.boot");
  const std::string volume = Tested::between(
      t.ec2("CreateVolume&AvailabilityZone=us-west-2b&Size=8"), "<volumeId>", "</volumeId>");
  t.ec2("AttachVolume&Device=/dev/sdf&VolumeId=" + volume + "&InstanceId=" + id);
  EXPECT_NE(t.ec2("DescribeVolumes").find("<status>attached</status>"), std::string::npos);
  t.ec2("ModifyVolume&Size=9&VolumeId=" + volume);
  EXPECT_NE(t.ec2("DescribeVolumesModifications").find(">completed<"), std::string::npos);
  t.ec2("TerminateInstances&InstanceId.1=" + id);
  EXPECT_EQ(t.state_of(id), "terminated");
  EXPECT_EQ(t.testbed->served().now(), kBegin);
}

TEST(Served, InstantTakesAnyCredentials) {
  const std::map<std::string, std::string> form{
      {"Content-Type", "application/x-www-form-urlencoded"}};
  auto elsewhere = form;
  elsewhere["Authorization"] =
      "AWS4-HMAC-SHA256 Credential=x/20191105/us-east-1/ec2/aws4_request, SignedHeaders=host, "
      "Signature=0";
  auto of_service = form;
  of_service["Host"] = "kinesis.us-west-2.amazonaws.com";
  const std::string call = "Version=2016-11-15&Action=DescribeInstances";
  Tested instant("manual", Profile::kInstant), strict("manual");
  EXPECT_EQ(instant.ask("POST", "/", call, form).result_int(), 200u);
  EXPECT_EQ(instant.ask("POST", "/", call, elsewhere).result_int(), 200u);
  EXPECT_EQ(instant.ask("POST", "/", call, of_service).result_int(), 501u);
  EXPECT_EQ(strict.ask("POST", "/", call, form).result_int(), 403u);
  EXPECT_EQ(strict.ask("POST", "/", call, elsewhere).result_int(), 401u);
}

// Like tests for moto's server: each begins with a reset and uses a region of its own.
TEST(Served, InstantIsInTheRegionOfTheFirstCall) {
  const base::FolderForTest folder;
  const auto state = folder / "state";
  const auto ec2 = [](Tested& t, const std::string& region, const std::string& call) {
    return t.ask("POST", "/", "Version=2016-11-15&Action=" + call,
                 {{"Content-Type", "application/x-www-form-urlencoded"},
                  {"Authorization", "AWS4-HMAC-SHA256 Credential=A/20191105/" + region +
                                        "/ec2/aws4_request, SignedHeaders=host, Signature=0"}});
  };
  const auto create = [&](Tested& t, const std::string& region, const std::string& zone) {
    return ec2(t, region, "CreateVolume&Size=1&AvailabilityZone=" + zone).result_int();
  };
  const auto vpcs = [&](Tested& t, const std::string& region) {
    const std::string shown = ec2(t, region, "DescribeVpcs").body();
    return shown.substr(shown.find("<vpcId>"), std::string("<vpcId>vpc-0123456789abcdef0").size());
  };
  const std::string one_small =
      "RequestSpotInstances&LaunchSpecification.InstanceType=t2.small"
      "&LaunchSpecification.ImageId=ami-0123456789abcdef0";
  std::string log;
  {
    Tested t("manual", Profile::kInstant, state);
    t.post("clock", {{"by", "1m"}});
    t.post("reset", Json::object());
    EXPECT_EQ(create(t, "us-east-1", "us-east-1a"), 200u);
    EXPECT_EQ(create(t, "us-east-1", "us-west-2a"), 400u);
    EXPECT_EQ(create(t, "eu-west-1", "eu-west-1a"), 200u) << "in a cloud of its own";
    EXPECT_NE(vpcs(t, "us-east-1"), vpcs(t, "eu-west-1")) << "IDs of their own";
    EXPECT_EQ(ec2(t, "us-east-1", one_small).result_int(), 200u);
    const auto& instances = t.testbed->served().cloud().instances();
    ASSERT_EQ(instances.size(), 1u);
    EXPECT_EQ(instances.begin()->second.state, cloud::InstanceState::kRunning);
    const market::Pool pool{"t2.small", instances.begin()->second.spec.availability_zone};
    EXPECT_EQ(t.testbed->served().cloud().market().spot_price(pool, kBegin)->nano, 6'900'000);
    EXPECT_NE(t.log().find(R"("region":"us-east-1")"), std::string::npos);
    EXPECT_EQ(t.log().find(R"("availability_zone":"us-west-2)"), std::string::npos);
    log = t.log();
    t.testbed->close(t.real);
  }
  Tested again("manual", Profile::kInstant, state);
  EXPECT_EQ(again.log().substr(0, log.size()), log);
  again.post("reset", Json::object());
  EXPECT_EQ(create(again, "us-west-2", "us-west-2a"), 200u);
  // Reading the clock does not decide the region, but an action of the control API does.
  Tested t("manual", Profile::kInstant);
  t.ask("GET", "/_spotsim/clock");
  EXPECT_EQ(create(t, "us-east-1", "us-east-1a"), 200u);
  Tested moved("manual", Profile::kInstant);
  moved.post("clock", {{"by", "1m"}});
  EXPECT_EQ(create(moved, "us-east-1", "us-east-1a"), 200u);
  EXPECT_EQ(moved.testbed->served().cloud().config().region, "us-west-2");
}

TEST(Served, AResetMakesANewWorld) {
  Tested t("manual");
  const std::string fresh = t.log(), id = t.launch();
  t.post("clock", {{"by", "1h"}});
  EXPECT_EQ(t.post("reset", Json::object())["now"], "2019-11-05T10:00:00.000000000Z");
  EXPECT_EQ(t.log(), fresh);
  EXPECT_EQ(t.testbed->served().now(), kBegin);
  EXPECT_EQ(t.launch(), id);
  const auto moto = t.ask("POST", "/moto-api/reset");
  EXPECT_EQ(moto.result_int(), 200u);
  EXPECT_EQ(moto.body(), "{\"status\":\"ok\"}\n");
  EXPECT_EQ(t.log(), fresh);
}

// Otherwise credentials of a service that has run for an hour would have expired when it makes
// them.
TEST(Served, AResetOfAWorldThatBeganByDateBeginsAgainByDate) {
  Tested t("manual", Profile::kInstant);
  t.options.by_date = true;
  t.start();
  t.real += 2h;
  EXPECT_EQ(t.post("reset", Json::object())["now"], "2019-11-05T12:00:00.000000000Z");
  EXPECT_EQ(t.testbed->served().now(), kBegin + 2h);
  t.launch(true);
  t.real += 90min;
  t.ask("POST", "/moto-api/reset");
  EXPECT_EQ(t.testbed->served().now(), kBegin + 210min);
  EXPECT_NE(t.ec2("DescribeSpotPriceHistory").find("<spotPrice>"), std::string::npos);
}

TEST(Served, EachInstanceHasItsMetadata) {
  Tested t("manual");
  const std::string id = t.launch(), path = "/latest/meta-data/instance-id";
  EXPECT_EQ(t.ask("GET", "/_spotsim/imds/" + id + path).body(), id);
  EXPECT_EQ(t.ask("GET", path, "", {{"Host", id + ".localhost:5000"}}).body(), id);
  EXPECT_EQ(t.ask("GET", path).body(), id);
  const std::string other = t.launch();
  const auto at_address_of = [&](const std::string& instance) {
    const auto& known = t.testbed->served().cloud().instance({instance});
    return t.ask("GET", path, "", {{"Host", metadata_address(known.private_ip) + ":5000"}});
  };
  EXPECT_EQ(at_address_of(id).body(), id);
  EXPECT_EQ(at_address_of(other).body(), other);
  EXPECT_EQ(t.ask("GET", path, "", {{"Host", "127.31.1.1"}}).result_int(), 404u);
  EXPECT_EQ(t.ask("GET", "/_spotsim/imds/" + other + path).body(), other);
  EXPECT_EQ(t.ask("GET", path).result_int(), 404u);
  EXPECT_EQ(t.events.back().kind, "imds.request");
  EXPECT_EQ(t.ask("GET", "/_spotsim/imds/i-0" + path).result_int(), 404u);
  EXPECT_EQ(t.events.back().fields["instance_id"], "i-0");
}

struct WithState : ::testing::Test {
  base::FolderForTest folder;
  fs::path file = folder / "state.db";
};

TEST_F(WithState, KeptCallsSurviveTheProcess) {
  Tested t("60x", Profile::kScenario, file);
  const std::string id = t.launch(true);
  t.real += 1s;
  t.post("interrupt", {{"instance", id}, {"how", "rebalance"}});
  t.ask("GET", "/_spotsim/imds/" + id + "/latest/meta-data/events/recommendations/rebalance");
  t.testbed->keep();
  const std::string log = t.log();
  const Time now = t.testbed->served().now();
  t.launch();  // not stored, because no answer was sent
  t.testbed.reset();
  t.start();
  EXPECT_EQ(t.testbed->replayed(), 3u);
  EXPECT_EQ(t.log(), log);
  EXPECT_EQ(t.testbed->served().now(), now);
  t.real += 10s;
  t.testbed->keep_up(t.real);
  EXPECT_EQ(t.testbed->served().now(), now + 10min);
}

// At each speed, with calls that move the clock and with time that passes between calls.
TEST_F(WithState, EverySpeedRestoresTheSameWorld) {
  for (const char* speed : {"1x", "1000x", "max", "manual"}) {
    const fs::path own = folder / speed;
    Tested t(speed, Profile::kScenario, own);
    const std::string id = t.launch(true);
    for (int i = 0; i < 20; ++i) {
      t.real += 137ms;
      t.testbed->keep_up(t.real);
      t.ec2("DescribeInstances");
      if (i == 5) t.post("clock", {{"next", true}});
      if (i == 7) t.post("price", {{"pool", "p3.2xlarge/us-west-2b"}, {"price", "77"}});
      if (i == 9) t.post("drain", {{"pool", "p3.2xlarge/us-west-2a"}, {"slots", 2}});
      if (i == 11) t.post("clock", {{"by", "3m"}});
    }
    t.testbed->close(t.real);
    const std::string log = t.log();
    t.testbed.reset();
    t.start();
    EXPECT_EQ(t.log(), log) << speed;
    EXPECT_NE(log.find("by-price"), std::string::npos) << speed;
  }
}

TEST_F(WithState, TheClockContinuesFromItsLastTime) {
  Tested t("1x", Profile::kScenario, file);
  t.real += 90s;
  t.testbed->close(t.real);
  t.testbed.reset();
  t.real += 24h;
  t.start();
  EXPECT_EQ(t.testbed->served().now(), kBegin + 90s);
}

TEST_F(WithState, AResetDeletesStoredCalls) {
  Tested t("manual", Profile::kScenario, file);
  const std::string fresh = t.log();
  t.launch();
  t.testbed->keep();
  t.post("reset", Json::object());
  t.testbed->keep();
  t.testbed.reset();
  t.start();
  EXPECT_EQ(t.testbed->replayed(), 0u);
  EXPECT_EQ(t.log(), fresh);
}

TEST_F(WithState, RequestsOfAnyBytesAreRestored) {
  Tested t("manual", Profile::kScenario, file);
  std::string all;
  for (int i = 1; i < 256; ++i) all += static_cast<char>(i);
  t.ask("POST", "/", all + '\0' + all, {{"Content-Type", "text/" + all.substr(200)}});
  t.ask("BREW", "/%00?" + all.substr(32), "", {{"X-Any", all.substr(31)}});
  t.ask("POST", "/_spotsim/clock", all);
  t.testbed->keep();
  const std::string log = t.log();
  t.testbed.reset();
  t.start();
  EXPECT_EQ(t.testbed->replayed(), 3u);
  EXPECT_EQ(t.log(), log);
}

std::string refusal(const std::function<void()>& start) {
  try {
    start();
  } catch (const JournalError& error) {
    return error.what();
  }
  return "";
}

TEST_F(WithState, OfAnotherWorldIsRefused) {
  Tested("manual", Profile::kScenario, file).testbed->close(kReal);
  EXPECT_NE(refusal([&] {
              Tested("manual", Profile::kScenario, file, 8);
            }).find("found the state of another world (no-interruption, seed 7"),
            std::string::npos);
  EXPECT_NE(refusal([&] { Tested("manual", Profile::kInstant, file); }).find("another world"),
            std::string::npos);
  Tested("60x", Profile::kScenario, file);  // the speed is not part of the world
}

TEST_F(WithState, IsForOneProcessAtATime) {
  Tested first("manual", Profile::kScenario, file);
  EXPECT_NE(refusal([&] {
              Tested("manual", Profile::kScenario, file);
            }).find("found another `spotsim serve` that uses it"),
            std::string::npos);
}

TEST_F(WithState, AnInvalidFileIsRefusedAndLeftUnchanged) {
  std::ofstream(file) << "This is a text of mine, which no program should write over. It is longer "
                         "than a header.";
  const std::string found = refusal([&] { Tested("manual", Profile::kScenario, file); });
  EXPECT_NE(found.find("expected a file of `spotsim serve --state`"), std::string::npos) << found;
  std::string text;
  std::getline(std::ifstream(file), text);
  EXPECT_EQ(text.substr(0, 9), "This is a");
}

}  // namespace
}  // namespace sim::serve
