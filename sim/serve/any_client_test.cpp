// Clients without a signature or with the older one, worlds without a file, and worlds that start
// today.
#include "sim/serve/instant.h"
#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

const std::map<std::string, std::string> kForm{
    {"Content-Type", "application/x-www-form-urlencoded"}, {"Host", "127.0.0.1:5000"}};

std::string version_2(const std::string& call) {
  return "Version=2016-11-15&AWSAccessKeyId=A&SignatureVersion=2&SignatureMethod=HmacSHA256&"
         "Signature=x&Action=" +
         call;
}

TEST(AnyClient, MaySignWithVersion2) {
  Tested t("manual");
  const std::string id = t.launch();
  const auto found = t.send("POST", "/", version_2("DescribeInstances&InstanceId.0=" + id), kForm);
  EXPECT_EQ(found.result_int(), 200) << found.body();
  EXPECT_NE(found.body().find(id), std::string::npos);
  const std::map<std::string, std::string> older{{"Host", "127.0.0.1:5000"},
                                                 {"Authorization", "AWS A:signature"}};
  EXPECT_EQ(t.send("GET", "/no-such-bucket/key", "", older).result_int(), 404);
}

TEST(AnyClient, WithoutASignatureIsDeniedByS3) {
  Tested t("manual");
  const auto refused = t.send("GET", "/bucket/key", "", {{"Host", "127.0.0.1:5000"}});
  EXPECT_EQ(refused.result_int(), 403);
  EXPECT_NE(refused.body().find("<Code>AccessDenied</Code>"), std::string::npos) << refused.body();
}

TEST(AnyClient, NeedsNoSignatureInTheInstantProfile) {
  Tested t("max", Profile::kInstant);
  const std::map<std::string, std::string> plain{{"Host", "127.0.0.1:5000"}};
  const std::string here =
      "<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint>"
      "</CreateBucketConfiguration>";
  EXPECT_EQ(t.send("PUT", "/bucket", here, plain).result_int(), 200);
  EXPECT_EQ(t.send("PUT", "/bucket/key", "text", plain).result_int(), 200);
  const auto found = t.send("HEAD", "/bucket/key", "", plain);
  EXPECT_EQ(found.result_int(), 200);
}

TEST(AnyClient, ReachesElastigroupByItsHost) {
  Tested t("manual");
  const auto refused = t.send("GET", "/aws/ec2/group", "", {{"Host", "api.spotinst.io"}});
  EXPECT_EQ(refused.result_int(), 401);
  const auto found = t.send("GET", "/aws/ec2/group?accountId=act-12345678", "",
                            {{"Host", "api.spotinst.io"}, {"Authorization", "Bearer token"}});
  EXPECT_EQ(found.result_int(), 200) << found.body();
  EXPECT_NE(found.body().find("\"kind\":\"spotinst:aws:ec2:group\""), std::string::npos);
}

TEST(OtherRegions, AreEmptyAndHaveTheirOwnZones) {
  Tested t("max", Profile::kInstant);
  const std::string id = t.launch();
  const auto ask = [&](const std::string& region, const std::string& call) {
    return t
        .send("POST", "/", "Version=2016-11-15&Action=" + call,
              {{"Content-Type", "application/x-www-form-urlencoded"},
               {"Authorization", "AWS4-HMAC-SHA256 Credential=A/20191105/" + region +
                                     "/ec2/aws4_request, SignedHeaders=host, Signature=0"}})
        .body();
  };
  EXPECT_NE(ask("us-west-2", "DescribeInstances").find(id), std::string::npos);
  EXPECT_EQ(ask("ap-northeast-1", "DescribeInstances").find(id), std::string::npos);
  const std::string zones = ask("ap-northeast-1", "DescribeAvailabilityZones");
  EXPECT_NE(zones.find("<zoneName>ap-northeast-1d</zoneName>"), std::string::npos) << zones;
  EXPECT_NE(zones.find("<zoneId>apne1-az4</zoneId>"), std::string::npos) << zones;
  ask("ap-northeast-1", "RunInstances&ImageId=ami-1&MinCount=1&MaxCount=1&InstanceType=p3.2xlarge");
  EXPECT_NE(ask("ap-northeast-1", "DescribeInstances").find("<instanceId>"), std::string::npos);
  const std::string regions = ask("ap-northeast-1", "DescribeRegions");
  for (const char* name : {"us-west-2", "ap-northeast-1", "eu-west-3"})
    EXPECT_NE(regions.find(std::string("<regionName>") + name + "<"), std::string::npos);
  t.ask("POST", "/moto-api/reset");
  EXPECT_EQ(ask("ap-northeast-1", "DescribeInstances").find("<instanceId>"), std::string::npos);
}

TEST(OtherRegions, GetCopiesOfSnapshotsAndImages) {
  Tested t("max", Profile::kInstant);
  const auto ask = [&](const std::string& region, const std::string& call, const std::string& tag) {
    const std::string text =
        t.send("POST", "/", "Version=2016-11-15&Action=" + call,
               {{"Content-Type", "application/x-www-form-urlencoded"},
                {"Authorization", "AWS4-HMAC-SHA256 Credential=A/20191105/" + region +
                                      "/ec2/aws4_request, SignedHeaders=host, Signature=0"}})
            .body();
    return Tested::between(text, "<" + tag + ">", "</" + tag + ">");
  };
  const std::string west = "us-west-2", east = "us-east-1", asia = "ap-northeast-1";
  const std::string image =
      ask(west, "CreateImage&Name=trained&InstanceId=" + t.launch(), "imageId");
  t.post("clock", {{"by", "10m"}});
  const std::string copy =
      ask(east, "CopyImage&Name=trained&SourceRegion=us-west-2&SourceImageId=" + image, "imageId");
  t.post("clock", {{"by", "10m"}});
  EXPECT_EQ(ask(east, "DescribeImages&ImageId.1=" + copy, "imageState"), "available");
  const std::string snapshot = ask(east, "DescribeImages&ImageId.1=" + copy, "snapshotId");
  for (const std::string& to : {west, asia}) {
    const std::string again =
        ask(to, "CopySnapshot&SourceRegion=us-east-1&SourceSnapshotId=" + snapshot, "snapshotId");
    t.post("clock", {{"by", "10m"}});
    EXPECT_EQ(ask(to, "DescribeSnapshots&SnapshotId.1=" + again, "status"), "completed") << to;
  }
  EXPECT_EQ(ask(west, "CopySnapshot&SourceRegion=eu-west-1&SourceSnapshotId=" + snapshot, "Code"),
            "InvalidSnapshot.NotFound")
      << "a region that nobody has asked yet";
  EXPECT_EQ(ask(west, "CopySnapshot&SourceRegion=mars&SourceSnapshotId=" + snapshot, "Code"),
            "InvalidParameterValue");
}

TEST(DefaultScenario, HasAPriceForEachTypeInEachZone) {
  const Time start = parse_time("2025-01-01T00:00:00Z").value();
  const scenario::Scenario scenario = default_scenario(start);
  EXPECT_EQ(scenario.cloud.availability_zones,
            (std::vector<std::string>{"us-west-2a", "us-west-2b", "us-west-2c", "us-west-2d"}));
  EXPECT_EQ(scenario.prices.pools.size(), 4 * scenario.instance_types->size());
  EXPECT_EQ(scenario.prices.pools.begin()->second.front().at, start);
}

TEST(DefaultScenario, IsServed) {
  Tested t("manual");
  t.scenario = default_scenario(kBegin);
  t.start();
  const std::string id = t.launch(true);
  t.post("clock", {{"by", "10m"}});
  EXPECT_EQ(t.state_of(id), "running");
}

TEST(AScenario, MovesWithItsPrices) {
  scenario::Scenario scenario = served_scenario();
  const auto before = scenario.prices.pools.begin()->second.front();
  move_to(scenario, scenario.start + 24h);
  EXPECT_EQ(scenario.start, kBegin + 24h);
  const auto after = scenario.prices.pools.begin()->second.front();
  EXPECT_EQ(after.at, before.at + 24h);
  EXPECT_EQ(after.price, before.price);
}

}  // namespace
}  // namespace sim::serve
