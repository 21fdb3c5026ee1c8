// The effects of faults on instance metadata.
#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

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

TEST_F(Kinds, MetadataWantsTokensFromThenOn) {
  const std::string id = w.instance();
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 200U);
  strike("imds-v2-required");
  EXPECT_EQ(w.metadata(id, "/latest/meta-data/mac").response.result_int(), 401U);
  EXPECT_EQ(w.guests.told, std::vector{id});
}

TEST_F(Kinds, MetadataWantsTokensOnInstancesThatComeLaterToo) {
  const std::string first = w.instance(), struck = w.instance();
  strike("imds-v2-required", {{"instance", "2"}, {"later", "true"}});
  const std::string later = w.instance();
  const auto status = [this](const std::string& id) {
    return w.metadata(id, "/latest/meta-data/mac").response.result_int();
  };
  EXPECT_EQ(status(first), 200U);
  EXPECT_EQ(status(struck), 401U);
  EXPECT_EQ(status(later), 401U);
}

TEST_F(Kinds, ARolesCredentialsHaveExpiredInTheMetadataAndForAws) {
  const std::string id = w.cloud
                             .run_instances({.instance_type = "p3.2xlarge",
                                             .availability_zone = "us-west-2a",
                                             .iam_instance_profile = "job"},
                                            1)
                             .at(0)
                             .value;
  w.pass(2min);
  const auto expires = [&] {
    const auto reply = w.metadata(id, "/latest/meta-data/iam/security-credentials/job");
    return Json::parse(reply.response.body()).at("Expiration").get<std::string>();
  };
  const auto now = [&] { return iso_seconds(w.simulation.now()); };
  EXPECT_GT(expires(), now());
  strike("credentials-expired", {{"for", "10m"}});
  EXPECT_LT(expires(), now());
  EXPECT_EQ(w.ec2_of(id, "DescribeVolumes").code(), "RequestExpired");
  EXPECT_EQ(w.ec2("DescribeVolumes").status(), 200) << "the operator has its own";
  w.pass(10min);
  EXPECT_GT(expires(), now());
  EXPECT_EQ(w.ec2_of(id, "DescribeVolumes").status(), 200);
}

TEST(SilentMetadata, IsReportedWhereItHidesNotices) {
  // The silence in seconds from the strike; 0: none.
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

}  // namespace
}  // namespace sim::faults
