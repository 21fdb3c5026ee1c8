// DescribeImages, and launches of images that are not there.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

using Ids = std::vector<std::string>;

const sim::cloud::Image kOld{.name = "Deep Learning AMI (Ubuntu) Version 24.3",
                             .description = "",
                             .owner = "amazon",
                             .created = sim::parse_time("2019-09-12T20:08:51Z").value()};
const sim::cloud::Image kNew{.name = "Deep Learning AMI (Ubuntu) Version 25.0",
                             .description = "with conda",
                             .owner = "amazon",
                             .created = sim::parse_time("2019-10-08T17:16:19Z").value()};
const sim::cloud::Image kOurs{.name = "ours", .description = "", .owner = ""};
const sim::cloud::Image kTheirs{.name = "ubuntu", .description = "", .owner = "099720109477"};

class Ec2Images : public testing::Test {
 protected:
  Ids ids(const Fields& fields = {}) const {
    return t_.ec2("DescribeImages", fields).all("imagesSet/item/imageId");
  }
  TestBackend t_{{{"ami-1", kOld}, {"ami-2", kNew}, {"ami-3", kOurs}, {"ami-4", kTheirs}}};
};

TEST_F(Ec2Images, AreDescribedAsAwsDescribesThem) {
  const auto answer = t_.ec2("DescribeImages", {{"ImageId.1", "ami-2"}});
  EXPECT_EQ(answer.all("imagesSet/item/imageId"), Ids{"ami-2"});
  const auto at = [&](const std::string& name) { return answer.at("imagesSet/item/" + name); };
  EXPECT_EQ(at("name"), "Deep Learning AMI (Ubuntu) Version 25.0");
  EXPECT_EQ(at("description"), "with conda");
  EXPECT_EQ(at("creationDate"), "2019-10-08T17:16:19.000Z");
  EXPECT_EQ(at("imageState"), "available");
  EXPECT_EQ(at("imageOwnerAlias"), "amazon");
  EXPECT_EQ(at("imageOwnerId"), "137112412989");
  EXPECT_EQ(at("isPublic"), "true");
  EXPECT_EQ(at("architecture"), "x86_64");
  EXPECT_EQ(at("rootDeviceName"), "/dev/sda1");
}

TEST_F(Ec2Images, AreFoundByNameAndOwner) {
  EXPECT_EQ(ids(), (Ids{"ami-1", "ami-2", "ami-3", "ami-4"}));
  EXPECT_EQ(ids({{"Owner.1", "amazon"}}), (Ids{"ami-1", "ami-2"}));
  EXPECT_EQ(ids({{"Owner.1", "self"}}), Ids{"ami-3"});
  EXPECT_EQ(ids({{"Owner.1", "123456789012"}, {"Owner.2", "099720109477"}}),
            (Ids{"ami-3", "ami-4"}));
  EXPECT_EQ(ids({{"Filter.1.Name", "name"}, {"Filter.1.Value.1", "Deep Learning AMI (Ubuntu)*"}}),
            (Ids{"ami-1", "ami-2"}));
  EXPECT_EQ(ids({{"Filter.1.Name", "is-public"}, {"Filter.1.Value.1", "false"}}), Ids{"ami-3"});
  EXPECT_EQ(ids({{"Filter.1.Name", "tag:Name"}, {"Filter.1.Value.1", "*"}}), Ids{});
}

TEST_F(Ec2Images, ThatAreNotThereAreRefused) {
  const auto refused = [&](const Fields& fields) { return t_.ec2("DescribeImages", fields); };
  EXPECT_EQ(refused({{"ImageId.1", "ami-9"}}).code(), "InvalidAMIID.NotFound");
  EXPECT_EQ(refused({{"ImageId.1", "ami-9"}}).message(), "The image id '[ami-9]' does not exist");
  EXPECT_EQ(
      refused({{"ImageId.1", "ami-9"}, {"ImageId.2", "ami-1"}, {"ImageId.3", "ami-8"}}).message(),
      "The image ids '[ami-9, ami-8]' do not exist");
  EXPECT_EQ(refused({{"ImageId.1", "ubuntu"}}).code(), "InvalidAMIID.Malformed");
  EXPECT_EQ(refused({{"Owner.1", "canonical"}}).code(), "InvalidUserID.Malformed");
  EXPECT_EQ(refused({{"Filter.1.Name", "colour"}, {"Filter.1.Value.1", "red"}}).code(),
            "InvalidParameterValue");
}

TEST_F(Ec2Images, ThatAreNotThereAreNotLaunched) {
  const auto launched = [&](const std::string& image) {
    return t_
        .ec2("RunInstances", {{"ImageId", image},
                              {"InstanceType", "m4.xlarge"},
                              {"MinCount", "1"},
                              {"MaxCount", "1"}})
        .code();
  };
  EXPECT_EQ(launched("ami-2"), "");
  EXPECT_EQ(launched("ami-9"), "InvalidAMIID.NotFound");
  EXPECT_EQ(launched("ubuntu"), "InvalidAMIID.Malformed");
}

// Where the scenario names no images any ID can be launched. What is described is the catalogue.
TEST(Ec2ImageCatalogue, IsFoundByNameAndOwner) {
  const TestBackend t;
  const auto names = [&](const std::string& pattern, const std::string& owner) {
    return t
        .ec2("DescribeImages",
             {{"Filter.1.Name", "name"}, {"Filter.1.Value.1", pattern}, {"Owner.1", owner}})
        .all("imagesSet/item/name");
  };
  EXPECT_EQ(names("amzn2-ami-hvm-*-x86_64-gp2", "amazon"),
            Ids{"amzn2-ami-hvm-2.0.20191024.3-x86_64-gp2"})
      << "those of 2025 are not there in 2019";
  EXPECT_EQ(names("ubuntu/images/hvm-ssd/ubuntu-*", "099720109477").size(), 1U);
  EXPECT_EQ(names("Deep Learning AMI*", "amazon").size(), 1U);
  EXPECT_EQ(names("*", "self").size(), 0U);
  const Ids ids = t.ec2("DescribeImages").all("imagesSet/item/imageId");
  EXPECT_EQ(t.ec2("DescribeImages", {{"ImageId.1", ids.at(0)}}).all("imagesSet/item/imageId"),
            Ids{ids.at(0)});
  EXPECT_EQ(t.ec2("DescribeImages", {{"ImageId.1", "ami-0123456789abcdef0"}}).code(),
            "InvalidAMIID.NotFound");
}

}  // namespace
}  // namespace fakes
