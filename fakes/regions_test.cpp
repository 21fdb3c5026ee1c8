// An account with two regions, us-west-2 and us-east-1, on one clock and in one log.
#include "fakes/regions.h"

#include "api/ec2.h"
#include "api/value.h"
#include "fakes/backend_for_test.h"
#include "fakes/direct.h"
#include "fakes/second_region_for_test.h"

namespace fakes {
namespace {

struct TwoRegions : testing::Test {
  TwoRegions() {
    bill_services(t.backend);
    bill_services(east);
  }

  static std::string signature(const std::string& region, const std::string& service) {
    return "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/" + region + "/" + service +
           "/aws4_request, SignedHeaders=host, Signature=00";
  }
  Answer ec2(const std::string& region, const std::string& action, const Fields& fields = {}) {
    std::string body = "Action=" + action + "&Version=2016-11-15";
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return t.send(TestBackend::post(body, signature(region, "ec2").c_str()));
  }
  Answer s3(const std::string& region, const std::string& method, const std::string& target,
            const std::string& body = "", const Handler* from = nullptr) {
    Request request{boost::beast::http::string_to_verb(method), target, 11};
    request.set("Host", "s3." + region + ".amazonaws.com");
    request.set("Authorization", signature(region, "s3"));
    request.body() = body;
    Answer answer;
    answer.response = (from ? *from : t.api)(request).response;
    answer.xml.load_string(answer.body().c_str());
    return answer;
  }
  static std::string located(const std::string& region) {
    return "<CreateBucketConfiguration><LocationConstraint>" + region +
           "</LocationConstraint></CreateBucketConfiguration>";
  }
  std::string snapshot() {
    const auto id = t.ec2("CreateSnapshot", {{"VolumeId", t.volume()}}).at("snapshotId");
    t.run(3min);
    return id;
  }
  std::string east_instance() {
    const auto id = ec2("us-east-1", "RunInstances",
                        {{"ImageId", "ami-0123456789abcdef0"},
                         {"InstanceType", "p3.2xlarge"},
                         {"MinCount", "1"},
                         {"MaxCount", "1"}})
                        .at("instancesSet/item/instanceId");
    t.run(2min);
    return id;
  }
  static std::vector<std::string> usages(const sim::cloud::Cloud& cloud) {
    std::vector<std::string> found;
    for (const auto& item : cloud.ledger().items())
      if (item.kind == sim::cloud::ChargeKind::kTransfer) found.push_back(item.usage);
    return found;
  }

  TestBackend t;
  SecondRegion east_region{t};
  Backend& east = east_region.backend;
  sim::cloud::Cloud& east_cloud = east_region.cloud;
};

TEST_F(TwoRegions, ARequestGoesToTheRegionItIsSignedFor) {
  EXPECT_EQ(ec2("us-east-1", "DescribeAvailabilityZones").at("availabilityZoneInfo/item/zoneName"),
            "us-east-1a");
  EXPECT_EQ(ec2("us-west-2", "DescribeAvailabilityZones").at("availabilityZoneInfo/item/zoneName"),
            "us-west-2a");
  EXPECT_EQ(ec2("eu-west-1", "DescribeAvailabilityZones").code(), "AuthFailure");
  const std::string volume = t.volume();
  EXPECT_EQ(ec2("us-east-1", "DescribeVolumes", {{"VolumeId.1", volume}}).code(),
            "InvalidVolume.NotFound");
  EXPECT_EQ(ec2("us-east-1", "DescribeRegions").all("regionInfo/item/regionName"),
            (std::vector<std::string>{"us-west-2", "us-east-1"}));
  EXPECT_EQ(ec2("us-east-1", "DescribeRegions", {{"RegionName.1", "us-west-2"}})
                .all("regionInfo/item/regionName"),
            std::vector<std::string>{"us-west-2"});
}

// ---- callers

// An instance of us-east-1 with the role "train" calls us-west-2.
struct EastCaller : TwoRegions {
  EastCaller() {
    t.backend.iam->begin_with_policies(
        {{"train", R"({"Version":"2012-10-17","Statement":{"Effect":"Allow",)"
                   R"("Action":"ec2:DescribeVolumes","Resource":"*"}})"}});
    id = ec2("us-east-1", "RunInstances",
             {{"ImageId", "ami-0123456789abcdef0"},
              {"InstanceType", "p3.2xlarge"},
              {"IamInstanceProfile.Name", "train"},
              {"MinCount", "1"},
              {"MaxCount", "1"}})
             .at("instancesSet/item/instanceId");
  }
  std::string code(const char* action) {
    const api::Service& service = api::ec2::kService;
    const api::Operation& operation = *service.find(action);
    const api::Object request(*operation.input.shape);
    return direct_aws(t.backend, id)({service, operation, request.get(), "us-west-2"}).error.code;
  }
  std::string id;
};

TEST_F(EastCaller, IsItsRoleInAnotherRegion) {
  const Handler from = aws(t.backend, id);
  const auto call = [&](const std::string& service, const std::string& body) {
    return from(TestBackend::post(body, signature("us-west-2", service).c_str())).response.body();
  };
  call("ec2", "Action=DescribeVolumes&Version=2016-11-15");
  EXPECT_EQ(t.backend.iam->role("train").last_region, "us-west-2");
  const std::string identity = call("sts", "Action=GetCallerIdentity&Version=2011-06-15");
  EXPECT_NE(identity.find("assumed-role/train/" + id), identity.npos) << identity;
}

TEST_F(EastCaller, HasThePermissionsOfItsRoleInAnotherRegion) {
  t.backend.iam->set_deciding({.policies = true});
  EXPECT_EQ(code("DescribeVolumes"), "");
  EXPECT_EQ(code("DescribeInstances"), "UnauthorizedOperation");
}

TEST_F(TwoRegions, EventsNameTheRegionUnlessItIsTheFirst) {
  east_instance();
  const auto& line = *std::ranges::find_if(t.lines, [](const std::string& text) {
    return text.find("\"instance.state\"") != text.npos;
  });
  EXPECT_NE(line.find(R"("event":"instance.state","region":"us-east-1","instance_id":)"), line.npos)
      << line;
  const auto call = std::ranges::find(t.events, "api.call", &sim::Event::kind);
  EXPECT_EQ(call->fields["region"], "us-east-1");
  t.lines.clear();
  t.instance();
  for (const std::string& text : t.lines) EXPECT_EQ(text.find("\"region\""), text.npos) << text;
}

TEST_F(TwoRegions, AnInstanceSeesItsOwnRegion) {
  const Handler metadata = imds(t.backend, {east_instance()});
  const Request request{boost::beast::http::verb::get, "/latest/meta-data/placement/region", 11};
  EXPECT_EQ(metadata(request).response.body(), "us-east-1");
}

TEST_F(TwoRegions, ASnapshotIsCopiedBetweenRegionsAndTheSenderPays) {
  const std::string from = snapshot();
  const Answer copied = ec2("us-east-1", "CopySnapshot",
                            {{"SourceRegion", "us-west-2"},
                             {"SourceSnapshotId", from},
                             {"Description", "moved"},
                             {"TagSpecification.1.ResourceType", "snapshot"},
                             {"TagSpecification.1.Tag.1.Key", "Name"},
                             {"TagSpecification.1.Tag.1.Value", "data"}});
  const std::string copy = copied.at("snapshotId");
  EXPECT_EQ(copied.at("tagSet/item/value"), "data");
  EXPECT_NE(copy, from);
  const auto status = [&] {
    return ec2("us-east-1", "DescribeSnapshots", {{"SnapshotId.1", copy}})
        .at("snapshotSet/item/status");
  };
  EXPECT_EQ(status(), "pending");
  t.run(2min);
  EXPECT_EQ(status(), "completed");
  EXPECT_EQ(ec2("us-west-2", "DescribeSnapshots", {{"SnapshotId.1", copy}}).code(),
            "InvalidSnapshot.NotFound");
  EXPECT_EQ(
      ec2("us-east-1", "CreateVolume", {{"AvailabilityZone", "us-east-1a"}, {"SnapshotId", copy}})
          .at("size"),
      "100");
  EXPECT_EQ(usages(t.cloud), std::vector<std::string>{"USW2-USE1-AWS-Out-Bytes"});
  EXPECT_TRUE(usages(east_cloud).empty());
}

TEST_F(TwoRegions, ACopyNeedsACompletedSnapshotOfAServedRegion) {
  const std::string from = snapshot();
  const auto code = [&](const std::string& region, const std::string& id) {
    return ec2("us-east-1", "CopySnapshot", {{"SourceRegion", region}, {"SourceSnapshotId", id}})
        .code();
  };
  EXPECT_EQ(code("eu-west-1", from), "InvalidParameterValue");
  EXPECT_EQ(code("us-east-1", from), "InvalidSnapshot.NotFound");
  const auto pending = t.ec2("CreateSnapshot", {{"VolumeId", t.volume()}}).at("snapshotId");
  EXPECT_EQ(code("us-west-2", pending), "IncorrectState");
  EXPECT_TRUE(usages(t.cloud).empty());
}

TEST_F(TwoRegions, AnImageIsCopiedWithItsSnapshots) {
  const std::string image =
      t.ec2("CreateImage", {{"InstanceId", t.instance()}, {"Name", "trained"}}).at("imageId");
  t.run(10min);
  const std::string copy =
      ec2("us-east-1", "CopyImage",
          {{"SourceRegion", "us-west-2"}, {"SourceImageId", image}, {"Name", "trained"}})
          .at("imageId");
  t.run(10min);
  const Answer shown = ec2("us-east-1", "DescribeImages", {{"ImageId.1", copy}});
  EXPECT_EQ(shown.at("imagesSet/item/imageState"), "available");
  const std::string snapshot = shown.at("imagesSet/item/blockDeviceMapping/item/ebs/snapshotId");
  EXPECT_TRUE(east_cloud.snapshots().contains({snapshot}));
  EXPECT_EQ(usages(t.cloud).size(), 1u);
}

TEST_F(TwoRegions, AreScoredForSpotTogetherOrByName) {
  t.market.set_capacity({"p3.2xlarge", "us-west-2a"}, 1);
  east_region.market.set_capacity({"p3.2xlarge", "us-east-1a"}, 3);
  Fields fields{{"InstanceType.1", "p3.2xlarge"},
                {"InstanceType.2", "p3.8xlarge"},
                {"InstanceType.3", "p3.16xlarge"},
                {"TargetCapacity", "4"}};
  for (const char* zone : {"us-west-2b", "us-west-2c"})
    t.market.set_capacity({"p3.2xlarge", zone}, 0);
  const std::string item = "spotPlacementScoreSet/item/";
  const auto all = ec2("us-west-2", "GetSpotPlacementScores", fields);
  EXPECT_EQ(all.all(item + "region"), (std::vector<std::string>{"us-east-1", "us-west-2"}));
  EXPECT_EQ(all.all(item + "score"), (std::vector<std::string>{"7", "2"}));
  fields.emplace_back("RegionName.1", "us-east-1");
  fields.emplace_back("SingleAvailabilityZone", "true");
  EXPECT_EQ(ec2("us-west-2", "GetSpotPlacementScores", fields).all(item + "availabilityZoneId"),
            std::vector<std::string>{"use1-az1"});
  fields.emplace_back("RegionName.2", "eu-west-1");
  EXPECT_EQ(ec2("us-west-2", "GetSpotPlacementScores", fields).code(), "InvalidParameterValue");
}

TEST_F(TwoRegions, ABucketIsInOneRegionAndOthersRedirect) {
  EXPECT_EQ(s3("us-west-2", "PUT", "/west", located("us-west-2")).status(), 200);
  EXPECT_EQ(s3("us-east-1", "PUT", "/east").status(), 200);
  EXPECT_EQ(s3("us-east-1", "PUT", "/west").at("Code"), "BucketAlreadyOwnedByYou");
  EXPECT_EQ(s3("us-east-1", "PUT", "/mars", located("eu-west-1")).at("Code"),
            "IllegalLocationConstraintException");
  EXPECT_EQ(s3("us-east-1", "PUT", "/east/key", "bytes").status(), 200);
  const Answer redirected = s3("us-west-2", "GET", "/east/key");
  EXPECT_EQ(redirected.status(), 301);
  EXPECT_EQ(redirected.at("Code"), "PermanentRedirect");
  EXPECT_EQ(redirected.response["x-amz-bucket-region"], "us-east-1");
  EXPECT_EQ(s3("us-west-2", "GET", "/west?location").body().find("us-west-2") != std::string::npos,
            true);
  EXPECT_EQ(s3("eu-west-1", "GET", "/west").at("Code"), "AuthorizationHeaderMalformed");
}

TEST_F(TwoRegions, ObjectsThatCrossRegionsAreBilledToTheSender) {
  s3("us-west-2", "PUT", "/west", located("us-west-2"));
  s3("us-east-1", "PUT", "/east");
  const Handler east_api = aws(t.backend, east_instance());
  s3("us-west-2", "PUT", "/west/far", "123", &east_api);
  s3("us-west-2", "GET", "/west/far", "", &east_api);
  s3("us-east-1", "PUT", "/east/near", "123456789", &east_api);
  s3("us-west-2", "PUT", "/west/operators", "123456789");  // from outside of AWS
  EXPECT_EQ(east.sent_to_regions, (std::map<std::string, std::uint64_t>{{"us-west-2", 3}}));
  EXPECT_EQ(t.backend.sent_to_regions, (std::map<std::string, std::uint64_t>{{"us-east-1", 3}}));
  east_cloud.close_books();
  EXPECT_EQ(usages(east_cloud), std::vector<std::string>{"USE1-USW2-AWS-Out-Bytes"});
}

TEST_F(TwoRegions, EachRegionPaysForTheStorageOfItsBuckets) {
  s3("us-west-2", "PUT", "/west", located("us-west-2"));
  s3("us-east-1", "PUT", "/east");
  s3("us-west-2", "PUT", "/west/a", std::string(1 << 20, 'x'));
  s3("us-east-1", "PUT", "/east/b", std::string(3 << 20, 'x'));
  t.run(100h);
  const auto stored = [](sim::cloud::Cloud& cloud) {
    cloud.close_books();
    double gb_months = 0;
    for (const auto& item : cloud.ledger().items())
      if (item.kind == sim::cloud::ChargeKind::kObjects) gb_months += item.quantity;
    return gb_months;
  };
  const double west = stored(t.cloud), in_east = stored(east_cloud);
  EXPECT_GT(west, 0);
  EXPECT_NEAR(in_east / west, 3, 1e-3);
}

TEST_F(TwoRegions, ACopyIsEncryptedWithAKeyOfItsRegion) {
  const std::string from = snapshot();
  const auto copy = [&](const std::string& key) {
    Fields fields{{"SourceRegion", "us-west-2"}, {"SourceSnapshotId", from}, {"Encrypted", "true"}};
    if (!key.empty()) fields.push_back({"KmsKeyId", key});
    return ec2("us-east-1", "CopySnapshot", fields);
  };
  const auto shown =
      ec2("us-east-1", "DescribeSnapshots", {{"SnapshotId.1", copy("").at("snapshotId")}});
  EXPECT_EQ(shown.at("snapshotSet/item/encrypted"), "true");
  EXPECT_TRUE(shown.at("snapshotSet/item/kmsKeyId").starts_with("arn:aws:kms:us-east-1:"));
  EXPECT_EQ(
      copy("arn:aws:kms:us-west-2:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab").code(),
      "InvalidParameterValue");
}

TEST_F(TwoRegions, ServicesOfTheFirstRegionOnlyAreRefusedByName) {
  Request request{boost::beast::http::verb::post, "/", 11};
  request.set("Authorization", signature("us-east-1", "sagemaker"));
  request.set("X-Amz-Target", "SageMaker.ListTrainingJobs");
  request.set("Content-Type", "application/x-amz-json-1.1");
  request.body() = "{}";
  const Answer refused = t.send(request);
  EXPECT_NE(
      refused.body().find("This simulated AWS has the service 'sagemaker' in us-west-2 only."),
      std::string::npos)
      << refused.body();
}

}  // namespace
}  // namespace fakes
