// The programs that people use, against the fakes over real sockets.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/long_for_test.h"
#include "fakes/backend_for_test.h"
#include "fakes/http/loopback_server_for_test.h"

namespace fakes {
namespace {

constexpr const char* kCurl = "/usr/bin/curl";
constexpr const char* kAws = "/usr/bin/aws";
constexpr const char* kPython = "/usr/bin/python3";

class Clients : public ::testing::Test {
 protected:
  void SetUp() override {
    port_ = loopback_.listen(aws(t.backend, "operator"));
    endpoint_ = "http://127.0.0.1:" + std::to_string(port_);
    setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    setenv("AWS_DEFAULT_REGION", "us-west-2", 1);
    setenv("AWS_DEFAULT_OUTPUT", "text", 1);
    setenv("AWS_PAGER", "", 1);
    setenv("AWS_CONFIG_FILE", "/dev/null", 1);
    setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
    unsetenv("AWS_PROFILE");
    unsetenv("http_proxy");
    unsetenv("HTTP_PROXY");
  }
  void TearDown() override {
    if (!file_.empty()) std::filesystem::remove(file_);
  }

  std::string run(const std::vector<std::string>& command) {
    auto text = loopback_.run(command, status_);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  std::string ec2(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kAws, "--endpoint-url", endpoint_, "ec2"});
    const auto text = run(arguments);
    EXPECT_EQ(status_, 0) << text;
    return text;
  }
  // A file that goes with the test.
  std::string file(const std::string& content) {
    file_ = std::filesystem::temp_directory_path() /
            ("spotsim-fakes-" + std::to_string(getpid()) + ".json");
    std::ofstream(file_) << content;
    return file_;
  }

  TestBackend t;
  Loopback loopback_{t.simulation};
  int port_ = 0, status_ = 0;
  std::string endpoint_;
  std::filesystem::path file_;
};

#define NEED(program) \
  if (access(program, X_OK) != 0) GTEST_SKIP() << program << " is not installed"

TEST_F(Clients, CurlReadsMetadataWithAToken) {
  NEED(kCurl);
  const auto id = t.instance({{"MetadataOptions.HttpTokens", "required"}});
  const auto url =
      "http://127.0.0.1:" + std::to_string(loopback_.listen(imds(t.backend, {id}))) + "/latest/";
  const auto token = run({kCurl, "-sS", "-X", "PUT", url + "api/token", "-H",
                          "X-aws-ec2-metadata-token-ttl-seconds: 60"});
  EXPECT_EQ(run({kCurl, "-sS", "-H", "X-aws-ec2-metadata-token: " + token,
                 url + "meta-data/instance-id"}),
            id);
  EXPECT_EQ(
      run({kCurl, "-sS", "-o", "/dev/null", "-w", "%{http_code}", url + "meta-data/instance-id"}),
      "401");
  EXPECT_EQ(
      run({kCurl, "-sS", "-I", "-H", "X-aws-ec2-metadata-token: " + token, url + "meta-data/mac"})
          .substr(0, 15),
      "HTTP/1.1 200 OK");
}

TEST_F(Clients, CurlSignsAndSendsALargeBody) {
  NEED(kCurl);
  const std::string data = "Action=DescribeVolumes&Version=2016-11-15&Filter.1.Name=tag:x";
  std::string values;
  for (int i = 1; i <= 100; ++i) {
    values += "&Filter.1.Value." + std::to_string(i) + "=" + std::string(900, 'v');
  }
  const auto text =
      run({kCurl, "-sS", "--aws-sigv4", "aws:amz:us-west-2:ec2", "--user", "a:b", "-H",
           "Expect: 100-continue", "--data", "@" + file(data + values), endpoint_});
  EXPECT_NE(text.find("<volumeSet"), std::string::npos) << text;
}

TEST_F(Clients, AwsCliPreparesAVolumeOnAnInstance) {
  ONLY_AMONG_LONG_TESTS();
  NEED(kAws);
  const auto instance =
      ec2({"run-instances", "--image-id", "ami-0123456789abcdef0", "--instance-type", "m4.xlarge",
           "--placement", "AvailabilityZone=us-west-2b", "--user-data", "#!/bin/bash", "--query",
           "Instances[0].InstanceId"});
  EXPECT_EQ(t.cloud.instance({instance}).spec.user_data, "#!/bin/bash");
  const auto volume = ec2({"create-volume", "--size", "100", "--volume-type", "gp2",
                           "--availability-zone", "us-west-2b", "--tag-specifications",
                           "ResourceType=volume,Tags=[{Key=Name,Value=DL-datasets-checkpoints}]",
                           "--query", "VolumeId"});
  t.run(5min);
  ec2({"wait", "instance-running", "--instance-ids", instance});
  ec2({"wait", "volume-available", "--volume-ids", volume});
  EXPECT_EQ(ec2({"attach-volume", "--volume-id", volume, "--instance-id", instance, "--device",
                 "/dev/sdf", "--query", "State"}),
            "attaching");
  t.run(1min);
  EXPECT_EQ(ec2({"describe-volumes", "--filters", "Name=tag:Name,Values=DL-datasets-checkpoints",
                 "Name=attachment.instance-id,Values=" + instance, "--query",
                 "Volumes[*].[VolumeId,State,AvailabilityZone,Attachments[0].Device]"}),
            volume + "\tin-use\tus-west-2b\t/dev/sdf");
}

TEST_F(Clients, AwsCliHopsWithASnapshot) {
  NEED(kAws);
  const auto volume = t.volume();
  const auto snapshot =
      ec2({"create-snapshot", "--volume-id", volume, "--description", "hop", "--tag-specifications",
           "ResourceType=snapshot,Tags=[{Key=Name,Value=hop}]", "--query", "SnapshotId"});
  t.run(5min);
  ec2({"wait", "snapshot-completed", "--snapshot-ids", snapshot});
  EXPECT_EQ(ec2({"describe-snapshots", "--owner-ids", "self", "--query", "Snapshots[0].Progress"}),
            "100%");
  const auto copy = ec2({"create-volume", "--snapshot-id", snapshot, "--availability-zone",
                         "us-west-2a", "--query", "[VolumeId,Size,State]"});
  const auto copied = copy.substr(0, copy.find('\t'));
  EXPECT_EQ(copy, copied + "\t100\tcreating");
  ec2({"create-tags", "--resources", copied, "--tags", "Key=Name,Value=DL"});
  EXPECT_EQ(t.cloud.volume({copied}).tags.at("Name"), "DL");
  t.run(1min);
  ec2({"delete-volume", "--volume-id", volume});
  ec2({"delete-snapshot", "--snapshot-id", snapshot});
}

constexpr const char* kFleet = R"({
  "TargetCapacity": 1, "AllocationStrategy": "lowestPrice", "Type": "maintain",
  "IamFleetRole": "arn:aws:iam::123456789012:role/DL-Training-Spot-Fleet-Role",
  "SpotPrice": "3.06", "ValidFrom": "2019-01-01T00:00:00Z", "ValidUntil": "2020-01-01T00:00:00Z",
  "TerminateInstancesWithExpiration": true, "ReplaceUnhealthyInstances": false,
  "LaunchSpecifications": [{
    "ImageId": "ami-0123456789abcdef0", "InstanceType": "p3.2xlarge", "KeyName": "me",
    "Placement": {"AvailabilityZone": "us-west-2a, us-west-2b"},
    "SecurityGroups": [{"GroupId": "sg-0123456789abcdef0"}],
    "BlockDeviceMappings": [{"DeviceName": "/dev/sda1",
      "Ebs": {"DeleteOnTermination": true, "VolumeSize": 80, "VolumeType": "gp2"}}],
    "IamInstanceProfile": {"Arn": "arn:aws:iam::123456789012:instance-profile/job"},
    "UserData": "IyEvYmluL2Jhc2gK",
    "TagSpecifications": [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": "x"}]}]
  }]})";

TEST_F(Clients, AwsCliRequestsAndCancelsASpotFleet) {
  ONLY_AMONG_LONG_TESTS();
  NEED(kAws);
  const auto fleet = ec2({"request-spot-fleet", "--spot-fleet-request-config",
                          "file://" + file(kFleet), "--query", "SpotFleetRequestId"});
  t.run(5min);
  const auto instance = ec2({"describe-spot-fleet-instances", "--spot-fleet-request-id", fleet,
                             "--query", "ActiveInstances[0].InstanceId"});
  EXPECT_EQ(t.cloud.instance({instance}).spec.availability_zone, "us-west-2b");
  EXPECT_EQ(ec2({"describe-instances", "--instance-ids", instance, "--query",
                 "Reservations[0].Instances[0].[InstanceLifecycle,State.Name]"}),
            "spot\trunning");
  EXPECT_EQ(ec2({"describe-spot-fleet-requests", "--spot-fleet-request-ids", fleet, "--query",
                 "SpotFleetRequestConfigs[0].[SpotFleetRequestState,SpotFleetRequestConfig.Type]"}),
            "active\tmaintain");
  EXPECT_EQ(
      ec2({"cancel-spot-fleet-requests", "--spot-fleet-request-ids", fleet, "--terminate-instances",
           "--query", "SuccessfulFleetRequests[0].CurrentSpotFleetRequestState"}),
      "cancelled_terminating");
}

// us-west-2b is cheaper, but comes second.
constexpr const char* kFleetOfATemplate = R"({
  "TargetCapacity": 1, "AllocationStrategy": "capacityOptimizedPrioritized",
  "IamFleetRole": "arn:aws:iam::123456789012:role/fleet",
  "LaunchTemplateConfigs": [{
    "LaunchTemplateSpecification": {"LaunchTemplateName": "trainer", "Version": "$Latest"},
    "Overrides": [{"AvailabilityZone": "us-west-2b", "Priority": 1},
                  {"AvailabilityZone": "us-west-2a", "Priority": 0}]}]})";

TEST_F(Clients, AwsCliLaunchesAFleetOfALaunchTemplateByItsPriorities) {
  NEED(kAws);
  const auto id =
      ec2({"create-launch-template", "--launch-template-name", "trainer", "--launch-template-data",
           R"({"ImageId": "ami-0123456789abcdef0", "InstanceType": "p3.2xlarge",)"
           R"( "SecurityGroupIds": ["sg-0123456789abcdef0"], "UserData": "IyEvYmluL2Jhc2gK",)"
           R"( "IamInstanceProfile": {"Name": "job"}, "TagSpecifications": [{"ResourceType":)"
           R"( "instance", "Tags": [{"Key": "Name", "Value": "x"}]}]})",
           "--query", "LaunchTemplate.LaunchTemplateId"});
  EXPECT_EQ(ec2({"describe-launch-template-versions", "--launch-template-id", id, "--query",
                 "LaunchTemplateVersions[0].[VersionNumber,LaunchTemplateData.UserData]"}),
            "1\tIyEvYmluL2Jhc2gK");
  const auto fleet = ec2({"request-spot-fleet", "--spot-fleet-request-config",
                          "file://" + file(kFleetOfATemplate), "--query", "SpotFleetRequestId"});
  t.run(5min);
  const auto& launched = t.cloud.instance(t.cloud.fleet({fleet}).instances.at(0));
  EXPECT_EQ(launched.spec.availability_zone, "us-west-2a");
  EXPECT_EQ(launched.spec.user_data, "#!/bin/bash\n");
  EXPECT_EQ(launched.tags.at("Name"), "x");
  EXPECT_EQ(ec2({"describe-spot-fleet-requests", "--query",
                 "SpotFleetRequestConfigs[0].SpotFleetRequestConfig.LaunchTemplateConfigs[0]."
                 "Overrides[*].[AvailabilityZone,Priority]"}),
            "us-west-2b\t1.0\nus-west-2a\t0.0");
  EXPECT_EQ(ec2({"delete-launch-template", "--launch-template-name", "trainer", "--query",
                 "LaunchTemplate.LaunchTemplateId"}),
            id);
  EXPECT_EQ(ec2({"describe-launch-templates", "--query", "length(LaunchTemplates)"}), "0");
}

TEST_F(Clients, AwsCliReadsPricesAndErrors) {
  NEED(kAws);
  t.run(30min);
  EXPECT_EQ(ec2({"describe-spot-price-history", "--instance-types", "p3.2xlarge",
                 "--product-descriptions", "Linux/UNIX", "--start-time", "2019-11-05T10:10:00",
                 "--query", "SpotPriceHistory[*].[AvailabilityZone,SpotPrice]"}),
            "us-west-2a\t0.918000\nus-west-2b\t0.900000");
  const auto text = run({kAws, "--endpoint-url", endpoint_, "ec2", "delete-volume", "--volume-id",
                         "vol-0123456789abcdef0"});
  EXPECT_NE(status_, 0);
  EXPECT_NE(text.find("An error occurred (InvalidVolume.NotFound) when calling the DeleteVolume "
                      "operation: The volume 'vol-0123456789abcdef0' does not exist."),
            std::string::npos)
      << text;
}

TEST_F(Clients, AwsCliNamesAServiceThatIsNotThere) {
  NEED(kAws);
  const auto text = run({kAws, "--endpoint-url", endpoint_, "kinesis", "list-streams"});
  EXPECT_NE(text.find("The service 'kinesis' is not part of this simulated AWS."),
            std::string::npos)
      << text;
}

TEST_F(Clients, Boto3DescribesWhatItTagged) {
  NEED(kPython);
  run({kPython, "-c", "import boto3"});
  if (status_ != 0) GTEST_SKIP() << "python3 has no boto3";
  t.instance();
  const auto text =
      run({kPython, "-c",
           "import boto3\n"
           "ec2 = boto3.client('ec2', endpoint_url='" +
               endpoint_ +
               "')\n"
               "v = ec2.create_volume(AvailabilityZone='us-west-2b', Size=10)\n"
               "ec2.create_tags(Resources=[v['VolumeId']], Tags=[{'Key': 'a', 'Value': 'ü'}])\n"
               "pages = ec2.get_paginator('describe_volumes').paginate(\n"
               "    Filters=[{'Name': 'tag:a', 'Values': ['ü']}])\n"
               "print([x['Size'] for p in pages for x in p['Volumes']], v['State'])\n"});
  EXPECT_EQ(text, "[10] creating");
}

}  // namespace
}  // namespace fakes
