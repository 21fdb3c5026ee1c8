// CloudFormation's API over the simulated services.
#include "fakes/cloudformation/stacks_for_test.h"

namespace fakes {
namespace {

constexpr const char* kMachine = R"(
Parameters:
  Type: {Type: String, Default: m4.xlarge}
Resources:
  Data:
    Type: AWS::EC2::Volume
    Properties: {AvailabilityZone: us-west-2b, Size: 10, Tags: [{Key: Name, Value: data}]}
  Machine:
    Type: AWS::EC2::Instance
    Properties:
      ImageId: ami-0123456789abcdef0
      InstanceType: !Ref Type
      AvailabilityZone: us-west-2b
      UserData: !Base64 "#!/bin/sh\n"
  Attached:
    Type: AWS::EC2::VolumeAttachment
    Properties: {Device: /dev/sdf, InstanceId: !Ref Machine, VolumeId: !Ref Data}
  Bucket: {Type: AWS::S3::Bucket}
  Log: {Type: AWS::Logs::LogGroup, Properties: {RetentionInDays: 7}}
Outputs:
  Address: {Value: !GetAtt Machine.PrivateIp}
  Bucket: {Value: !Ref Bucket, Export: {Name: shared-bucket}}
)";

TEST(CloudFormation, MakesAndRemovesWhatATemplateDescribes) {
  TestStacks t;
  EXPECT_EQ(t.create("machine", kMachine), "CREATE_COMPLETE") << t.failure("machine");
  const std::string instance = t.physical("machine", "Machine");
  const std::string volume = t.physical("machine", "Data");
  const auto described = t.ec2("DescribeVolumes", {{"VolumeId.1", volume}});
  EXPECT_EQ(described.at("volumeSet/item/attachmentSet/item/instanceId"), instance);
  EXPECT_EQ(described.at("volumeSet/item/tagSet/item[key='Name']/value"), "data");
  EXPECT_EQ(
      t.output("machine", "Address"),
      t.ec2("DescribeInstances").at("reservationSet/item/instancesSet/item/privateIpAddress"));
  const std::string bucket = t.output("machine", "Bucket");
  EXPECT_TRUE(bucket.starts_with("machine-bucket-")) << bucket;
  EXPECT_TRUE(t.backend.objects.buckets().contains(bucket));
  EXPECT_EQ(t.backend.logs.group(t.physical("machine", "Log")).retention_days, 7);

  EXPECT_EQ(t.remove("machine"), "DELETE_COMPLETE");
  EXPECT_FALSE(t.backend.objects.buckets().contains(bucket));
  EXPECT_TRUE(t.backend.logs.groups().empty());
  EXPECT_EQ(t.cloud.instance({instance}).state, sim::cloud::InstanceState::kTerminated);
  EXPECT_EQ(t.cloud.volume({volume}).state, sim::cloud::VolumeState::kDeleted);
}

// CloudFormation User Guide, "Resource tag": keys that only AWS gives.
TEST(CloudFormation, TagsWhatItMakesWithTheStack) {
  TestStacks t;
  EXPECT_EQ(t.create("s", kMachine), "CREATE_COMPLETE");
  const std::string id = t.described("s", "StackId");
  for (const auto& [logical, described, item] :
       {std::tuple{"Machine", "DescribeInstances", "reservationSet/item/instancesSet/item"},
        {"Data", "DescribeVolumes", "volumeSet/item"}}) {
    const Answer answer = t.ec2(described, {{"Filter.1.Name", "tag:aws:cloudformation:stack-name"},
                                            {"Filter.1.Value.1", "s"}});
    const auto tag = [&, item = std::string(item)](const std::string& key) {
      return answer.at(item + "/tagSet/item[key='aws:cloudformation:" + key + "']/value");
    };
    EXPECT_EQ(tag("stack-name"), "s") << answer.body();
    EXPECT_EQ(tag("stack-id"), id);
    EXPECT_EQ(tag("logical-id"), logical);
  }
  EXPECT_EQ(t.ec2("DeleteTags", {{"ResourceId.1", t.physical("s", "Data")},
                                 {"Tag.1.Key", "aws:cloudformation:stack-id"}})
                .code(),
            "InvalidParameterValue");
}

TEST(CloudFormation, TagsEachResourceOfEc2) {
  TestStacks t;
  EXPECT_EQ(t.create("net", R"(
Resources:
  Vpc: {Type: AWS::EC2::VPC, Properties: {CidrBlock: 10.0.0.0/16, Tags: [{Key: Name, Value: net}]}}
  Subnet: {Type: AWS::EC2::Subnet, Properties: {VpcId: !Ref Vpc, CidrBlock: 10.0.0.0/24}}
  Group: {Type: AWS::EC2::SecurityGroup, Properties: {VpcId: !Ref Vpc, GroupDescription: d}}
  Table: {Type: AWS::EC2::RouteTable, Properties: {VpcId: !Ref Vpc}}
  Gateway: {Type: AWS::EC2::InternetGateway}
  Address: {Type: AWS::EC2::EIP}
  Pair: {Type: AWS::EC2::KeyPair, Properties: {KeyName: pair}}
)"),
            "CREATE_COMPLETE")
      << t.failure("net");
  auto found = t.ec2("DescribeTags", {{"Filter.1.Name", "key"},
                                      {"Filter.1.Value.1", "aws:cloudformation:logical-id"}})
                   .all("tagSet/item/value");
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<std::string>{"Address", "Gateway", "Group", "Pair", "Subnet",
                                             "Table", "Vpc"}));
}

TEST(CloudFormation, LaunchesIntoAPlacementGroup) {
  TestStacks t;
  EXPECT_EQ(t.create("s", R"(
Resources:
  Near: {Type: AWS::EC2::PlacementGroup, Properties: {Strategy: cluster}}
  Machine:
    Type: AWS::EC2::Instance
    Properties:
      ImageId: ami-0123456789abcdef0
      InstanceType: m4.xlarge
      PlacementGroupName: !GetAtt Near.GroupName
)"),
            "CREATE_COMPLETE")
      << t.failure("s");
  EXPECT_EQ(t.cloud.instance({t.physical("s", "Machine")}).spec.placement_group,
            t.physical("s", "Near"));
  const Answer groups = t.ec2("DescribePlacementGroups");
  const std::string tag = "placementGroupSet/item/tagSet/item/";
  EXPECT_EQ(groups.all(tag + "key"), (std::vector<std::string>{"aws:cloudformation:logical-id",
                                                               "aws:cloudformation:stack-id",
                                                               "aws:cloudformation:stack-name"}));
  EXPECT_EQ(groups.all(tag + "value"),
            (std::vector<std::string>{"Near", groups.all(tag + "value").at(1), "s"}));
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  EXPECT_TRUE(t.cloud.network().placement_groups.table.all().empty());
}

TEST(CloudFormation, RollsBackWithTheServicesOwnReason) {
  TestStacks t;
  EXPECT_EQ(t.create("s", R"(
Resources:
  Bucket: {Type: AWS::S3::Bucket}
  Bad:
    Type: AWS::EC2::Volume
    DependsOn: Bucket
    Properties: {AvailabilityZone: us-west-2z, Size: 10}
)"),
            "ROLLBACK_COMPLETE");
  EXPECT_NE(t.failure("s").find("(Service: AmazonEC2; Status Code: 400; Error Code: "),
            std::string::npos)
      << t.failure("s");
  EXPECT_TRUE(t.backend.objects.buckets().empty());
}

TEST(CloudFormation, IsDeletedWhileAnInstanceBoots) {
  TestStacks t;
  EXPECT_EQ(t.create("s", kMachine, 10s), "CREATE_IN_PROGRESS");
  const std::string instance = t.physical("s", "Machine");
  ASSERT_NE(instance, "");
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  EXPECT_EQ(t.cloud.instance({instance}).state, sim::cloud::InstanceState::kTerminated);
  for (const auto& [id, volume] : t.cloud.volumes())
    EXPECT_EQ(volume.state, sim::cloud::VolumeState::kDeleted) << id.value;
}

TEST(CloudFormation, KeepsABucketThatIsNotEmpty) {
  TestStacks t;
  t.create("s", "Resources: {B: {Type: AWS::S3::Bucket, Properties: {BucketName: kept-data}}}");
  t.backend.objects.put("kept-data", "key", {});
  EXPECT_EQ(t.remove("s"), "DELETE_FAILED");
  EXPECT_NE(t.failure("s").find("The bucket you tried to delete is not empty"), std::string::npos);
  EXPECT_TRUE(t.backend.objects.buckets().contains("kept-data"));
}

TEST(CloudFormation, MakesASnapshotOfAVolumeThatIsDeletedSo) {
  TestStacks t;
  t.create("s", R"(
Resources:
  Data:
    Type: AWS::EC2::Volume
    DeletionPolicy: Snapshot
    Properties: {AvailabilityZone: us-west-2b, Size: 10}
)");
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  ASSERT_EQ(t.cloud.snapshots().size(), 1u);
}

TEST(CloudFormation, NamesAPropertyThatItDoesNotHave) {
  TestStacks t;
  const auto failure = [&](const std::string& name, const std::string& properties) {
    t.create(name,
             "Resources: {V: {Type: AWS::EC2::Volume, Properties: {Size: 1, " + properties + "}}}");
    return t.failure(name);
  };
  EXPECT_EQ(failure("a", "Colour: red"), "Encountered unsupported property Colour");
  EXPECT_EQ(failure("b", "OutpostArn: x"),
            "The property OutpostArn of AWS::EC2::Volume is not part of this simulated AWS.");
  EXPECT_NE(failure("c", "AvailabilityZone: us-west-2a, Encrypted: maybe").find("Encrypted"),
            std::string::npos);
}

TEST(CloudFormation, UpdatesTagsInPlaceAndReplacesAnotherSize) {
  TestStacks t;
  const auto text = [](const std::string& zone, const std::string& tag) {
    return "Resources: {V: {Type: AWS::EC2::Volume, Properties: {Size: 1, AvailabilityZone: " +
           zone + ", Tags: [{Key: Name, Value: " + tag + "}]}}}";
  };
  t.create("s", text("us-west-2a", "one"));
  const std::string first = t.physical("s", "V");
  const auto update = [&](const std::string& body) {
    t.ask("UpdateStack", {{"StackName", "s"}, {"TemplateBody", body}});
    t.run(10min);
    return t.status("s");
  };
  EXPECT_EQ(update(text("us-west-2a", "two")), "UPDATE_COMPLETE");
  EXPECT_EQ(t.physical("s", "V"), first);
  EXPECT_EQ(t.cloud.volume({first}).tags.at("Name"), "two");
  EXPECT_EQ(update(text("us-west-2b", "two")), "UPDATE_COMPLETE");
  EXPECT_NE(t.physical("s", "V"), first);
  EXPECT_EQ(t.cloud.volume({first}).state, sim::cloud::VolumeState::kDeleted);
  EXPECT_EQ(t.ask("UpdateStack", {{"StackName", "s"}, {"TemplateBody", text("us-west-2b", "two")}})
                .at("Error/Message"),
            "No updates are to be performed.");
}

TEST(CloudFormation, RunsASpotFleetAndALaunchTemplate) {
  TestStacks t;
  EXPECT_EQ(t.create("s", R"(
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData: {ImageId: ami-0123456789abcdef0, InstanceType: p3.2xlarge}
  Fleet:
    Type: AWS::EC2::SpotFleet
    Properties:
      SpotFleetRequestConfigData:
        IamFleetRole: arn:aws:iam::123456789012:role/fleet
        TargetCapacity: 2
        LaunchTemplateConfigs:
          - LaunchTemplateSpecification:
              LaunchTemplateId: !Ref Template
              Version: !GetAtt Template.LatestVersionNumber
            Overrides: [{AvailabilityZone: us-west-2b}]
)"),
            "CREATE_COMPLETE")
      << t.failure("s");
  EXPECT_EQ(t.cloud.instances().size(), 2u);
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  EXPECT_TRUE(t.cloud.launch_templates().empty());
  for (const auto& [id, instance] : t.cloud.instances())
    EXPECT_EQ(instance.state, sim::cloud::InstanceState::kTerminated) << id.value;
}

TEST(CloudFormation, RunsAnEc2FleetAndChangesItsTarget) {
  const auto of_size = [](int size) {
    return fmt::format(R"(
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData: {{ImageId: ami-0123456789abcdef0, InstanceType: p3.2xlarge}}
  Fleet:
    Type: AWS::EC2::EC2Fleet
    Properties:
      LaunchTemplateConfigs:
        - LaunchTemplateSpecification:
            LaunchTemplateId: !Ref Template
            Version: !GetAtt Template.LatestVersionNumber
          Overrides: [{{AvailabilityZone: us-west-2b}}]
      TargetCapacitySpecification: {{TotalTargetCapacity: {}, DefaultTargetCapacityType: spot}}
Outputs: {{Fleet: {{Value: !GetAtt Fleet.FleetId}}}}
)",
                       size);
  };
  TestStacks t;
  EXPECT_EQ(t.create("s", of_size(1)), "CREATE_COMPLETE") << t.failure("s");
  EXPECT_EQ(t.cloud.instances().size(), 1u);
  t.ask("UpdateStack", {{"StackName", "s"}, {"TemplateBody", of_size(3)}});
  t.run(5min);
  EXPECT_EQ(t.status("s"), "UPDATE_COMPLETE");
  EXPECT_EQ(t.cloud.instances().size(), 3u);
  EXPECT_EQ(t.cloud.fleets().size(), 1u);
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  for (const auto& [id, instance] : t.cloud.instances())
    EXPECT_EQ(instance.state, sim::cloud::InstanceState::kTerminated) << id.value;
}

TEST(CloudFormation, KeepsTheKeyThatItCreatesInAParameter) {
  TestStacks t;
  EXPECT_EQ(t.create("s", R"(
Resources:
  Made: {Type: AWS::EC2::KeyPair, Properties: {KeyName: made, KeyType: ed25519}}
  Imported:
    Type: AWS::EC2::KeyPair
    Properties:
      KeyName: imported
      PublicKeyMaterial: >-
        ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me
Outputs: {Id: {Value: !GetAtt Made.KeyPairId}, Print: {Value: !GetAtt Imported.KeyFingerprint}}
)"),
            "CREATE_COMPLETE")
      << t.failure("s");
  EXPECT_EQ(t.ec2("DescribeKeyPairs").all("keySet/item/keyName").size(), 2u);
  ASSERT_EQ(t.backend.parameters.all().size(), 1u);
  const auto& [name, secret] = *t.backend.parameters.all().begin();
  EXPECT_EQ(name,
            "/ec2/keypair/" +
                t.ec2("DescribeKeyPairs", {{"KeyName.1", "made"}}).at("keySet/item/keyPairId"));
  EXPECT_TRUE(secret.newest().value.starts_with("-----BEGIN"));
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
  EXPECT_TRUE(t.backend.parameters.all().empty());
  EXPECT_TRUE(t.ec2("DescribeKeyPairs").all("keySet/item/keyName").empty());
}

TEST(CloudFormation, TakesParametersAmongThemTheNamesOfImages) {
  TestStacks t;
  const char* const text = R"(
Parameters:
  Ami:
    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>
    Default: /aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2
  Secret: {Type: String, NoEcho: true}
Resources: {L: {Type: AWS::Logs::LogGroup, Properties: {LogGroupName: !Sub "g-${Secret}"}}}
Outputs: {Ami: {Value: !Ref Ami}}
)";
  EXPECT_EQ(t.create("s", text), "Parameters: [Secret] must have values");
  t.ask("CreateStack", {{"StackName", "s"},
                        {"TemplateBody", text},
                        {"Parameters.member.1.ParameterKey", "Secret"},
                        {"Parameters.member.1.ParameterValue", "x"}});
  t.run(5min);
  EXPECT_EQ(t.status("s"), "CREATE_COMPLETE");
  EXPECT_TRUE(t.output("s", "Ami").starts_with("ami-")) << t.output("s", "Ami");
  EXPECT_EQ(t.described("s", "Parameters/member[ParameterKey='Secret']/ParameterValue"), "****");
}

TEST(CloudFormation, SkipsTheTypesThatTheScenarioNames) {
  TestStacks t;
  const char* const text = R"(
Resources:
  Alarm: {Type: AWS::Lambda::Function, Properties: {Anything: 1}}
  Log: {Type: AWS::Logs::LogGroup, DependsOn: Alarm}
)";
  EXPECT_EQ(t.create("s", text),
            "Template format error: Unrecognized resource types: [AWS::Lambda::Function]");
  t.backend.skipped_resource_types = {"AWS::Lambda::Function"};
  EXPECT_EQ(t.create("s", text), "CREATE_COMPLETE");
  EXPECT_EQ(t.remove("s"), "DELETE_COMPLETE");
}

TEST(CloudFormation, ReadsATemplateFromABucket) {
  TestStacks t;
  t.backend.objects.create_bucket("templates");
  sim::objects::Object object;
  object.body = sim::objects::Body(std::make_shared<const sim::objects::Blob>(
      std::string("Resources: {L: {Type: AWS::Logs::LogGroup}}")));
  t.backend.objects.put("templates", "a/b.yaml", object);
  for (const char* url : {"https://s3.us-west-2.amazonaws.com/templates/a/b.yaml",
                          "https://templates.s3.us-west-2.amazonaws.com/a/b.yaml",
                          "https://templates.s3.amazonaws.com/a/b.yaml",
                          "http://127.0.0.1:5000/templates/a/b.yaml?X-Amz-Signature=1"})
    EXPECT_EQ(t.ask("ValidateTemplate", {{"TemplateURL", url}}).status(), 200) << url;
  EXPECT_EQ(
      t.ask("ValidateTemplate", {{"TemplateURL", "https://example.com/x"}}).at("Error/Message"),
      "TemplateURL must be a supported URL.");
}

TEST(CloudFormation, DeploysByChangeSets) {
  TestStacks t;
  const char* const text = "Resources: {L: {Type: AWS::Logs::LogGroup}}";
  const auto set = [&](const std::string& kind, const std::string& name) {
    t.ask("CreateChangeSet", {{"StackName", "s"},
                              {"ChangeSetName", name},
                              {"ChangeSetType", kind},
                              {"TemplateBody", text}});
    t.run(10s);
    return t.ask("DescribeChangeSet", {{"StackName", "s"}, {"ChangeSetName", name}});
  };
  EXPECT_EQ(set("CREATE", "one").at("DescribeChangeSetResult/Status"), "CREATE_COMPLETE");
  EXPECT_EQ(t.status("s"), "REVIEW_IN_PROGRESS");
  t.ask("ExecuteChangeSet", {{"StackName", "s"}, {"ChangeSetName", "one"}});
  t.run(5min);
  EXPECT_EQ(t.status("s"), "CREATE_COMPLETE");
  const Answer nothing = set("UPDATE", "two");
  EXPECT_EQ(nothing.at("DescribeChangeSetResult/Status"), "FAILED");
  EXPECT_TRUE(nothing.at("DescribeChangeSetResult/StatusReason")
                  .starts_with("The submitted information didn't contain changes."));
}

TEST(CloudFormation, AnswersInPages) {
  TestStacks t;
  std::string text = "Resources:\n";
  for (int i = 0; i < 120; ++i) text += fmt::format("  L{}: {{Type: AWS::Logs::LogGroup}}\n", i);
  EXPECT_EQ(t.create("s", text), "CREATE_COMPLETE");
  const Answer first = t.ask("ListStackResources", {{"StackName", "s"}});
  const std::string token = first.at("ListStackResourcesResult/NextToken");
  const Answer second = t.ask("ListStackResources", {{"StackName", "s"}, {"NextToken", token}});
  const std::string member =
      "ListStackResourcesResult/StackResourceSummaries/member/LogicalResourceId";
  EXPECT_EQ(first.all(member).size() + second.all(member).size(), 120u);
  EXPECT_EQ(t.ask("ListStackResources", {{"StackName", "s"}, {"NextToken", "x"}}).at("Error/Code"),
            "ValidationError");
}

}  // namespace
}  // namespace fakes
