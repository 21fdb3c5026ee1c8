// guest.images of a scenario.
#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

std::string images(const std::string& entries) { return "guest: {images: {" + entries + "}}\n"; }

TEST_F(ScenarioFile, WithoutImagesEveryImageIsTheHostsWithTheUserUbuntu) {
  const Scenario s = read(good());
  EXPECT_TRUE(s.cloud.any_image);
  EXPECT_TRUE(s.cloud.images.empty());
  EXPECT_TRUE(s.guest.other_image.host_packages);
  ASSERT_EQ(s.guest.other_image.users.size(), 1U);
  EXPECT_EQ(s.guest.other_image.users[0].name, "ubuntu");
  EXPECT_EQ(s.guest.other_image.users[0].uid, 1000U);
}

TEST_F(ScenarioFile, AnImageIsReadWithEverything) {
  const Scenario s = read(good(images(
      "ami-1: {root: job, packages: none, users: [ec2-user, {name: joe, uid: 1200}, ann], "
      "name: Deep Learning AMI, description: with conda, owner: amazon, architecture: arm64, "
      "creation_date: 2019-10-01T00:00:00Z}")));
  EXPECT_FALSE(s.cloud.any_image);
  const GuestImage& image = s.guest.images.at("ami-1");
  EXPECT_EQ(image.root, folder_ / "job");
  EXPECT_FALSE(image.host_packages);
  ASSERT_EQ(image.users.size(), 3U);
  EXPECT_EQ(image.users[0].uid, 1000U);
  EXPECT_EQ(image.users[1].uid, 1200U);
  EXPECT_EQ(image.users[2].name, "ann");
  EXPECT_EQ(image.users[2].uid, 1001U);
  const cloud::Image& shown = s.cloud.images.at("ami-1");
  EXPECT_EQ(shown.name, "Deep Learning AMI");
  EXPECT_EQ(shown.owner, "amazon");
  EXPECT_EQ(shown.architecture, "arm64");
  EXPECT_EQ(iso_seconds(shown.created), "2019-10-01T00:00:00Z");
}

TEST_F(ScenarioFile, WithADefaultOtherImagesMayBeLaunchedToo) {
  const Scenario s = read(good(images("ami-1: {}, default: {users: [ec2-user]}")));
  EXPECT_TRUE(s.cloud.any_image);
  EXPECT_EQ(s.guest.other_image.users[0].name, "ec2-user");
  EXPECT_EQ(s.cloud.images.at("ami-1").name, "ami-1");
  EXPECT_EQ(s.cloud.images.count("default"), 0U);
}

// DescribeImages does not show a container's image.
TEST_F(ScenarioFile, AContainersImageIsNoAmi) {
  const std::string id = "123456789012.dkr.ecr.us-west-2.amazonaws.com/team/train:1.0-gpu";
  const Scenario s = read(good(images("'" + id + "': {}")));
  EXPECT_TRUE(s.guest.images.contains(id));
  EXPECT_TRUE(s.cloud.images.empty());
  EXPECT_TRUE(s.cloud.any_image);
}

TEST_F(ScenarioFile, AContainersImageHasItsDockerfilesSettings) {
  const auto container = [&](const std::string& keys) {
    return read(good(images("a.example/train:1: {" + keys + "}")))
        .guest.images.at("a.example/train:1")
        .container;
  };
  const auto set =
      container("env: {SAGEMAKER_PROGRAM: train.py}, workdir: /app, entrypoint: [a, b]");
  EXPECT_EQ(set.environment.at("SAGEMAKER_PROGRAM"), "train.py");
  EXPECT_EQ(set.working_folder, "/app");
  EXPECT_EQ(set.entrypoint, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(container("entrypoint: exec train.sh").entrypoint,
            (std::vector<std::string>{"/bin/sh", "-c", "exec train.sh"}));
  EXPECT_EQ(container("").working_folder, "/");
}

TEST_F(ScenarioFile, WrongImagesAreNamed) {
  const auto said = [&](const std::string& entries) { return errors(good(images(entries))); };
  EXPECT_EQ(
      said("ami-1: {root: nowhere}"),
      "s.yaml:6:32: guest.images.ami-1.root: found \"nowhere\", expected a folder, but there is "
      "no nowhere");
  EXPECT_PRED2(contains, said("ubuntu: {}"),
               "guest.images.ubuntu: found a key that is no ImageId, expected one such as "
               "ami-0a63f3f0c7e4b2d15, a container's image such as "
               "123456789012.dkr.ecr.us-west-2.amazonaws.com/train:1, or default");
  for (const std::string id :
       {"ami-", "ami-../../x", "ami-1,upperdir=x", "ami-gpu", "a.example/../x", "a.example/",
        "a.example/x:", "a.example//x", "/a.example/x", "a.example/x:1,upperdir=x"})
    EXPECT_PRED2(contains, said("'" + id + "': {}"),
                 "guest.images." + id + ": found a key that is no ImageId");
  EXPECT_PRED2(contains, said("ami-1: {packages: none}"),
               "guest.images.ami-1.packages: found none without `root`");
  EXPECT_PRED2(contains, said("ami-1: {users: [root]}"),
               "guest.images.ami-1.users[0]: found \"root\", expected a user's name");
  EXPECT_PRED2(contains, said("ami-1: {users: [a, a]}"),
               "users[1]: found \"a\", expected each user once");
  EXPECT_PRED2(contains, said("ami-1: {users: [a, {name: b, uid: 1000}]}"),
               "users[1]: found uid 1000 a second time, it is a's");
  EXPECT_PRED2(contains, said("ami-1: {user: [a]}"),
               "found unknown key \"user\", expected \"users\"");
  EXPECT_PRED2(contains, said("a.example/x: {workdir: app}"),
               "workdir: found \"app\", expected an absolute path");
  EXPECT_PRED2(contains, said("a.example/x: {env: [A]}"), "expected a mapping such as");
  EXPECT_PRED2(contains, said("ami-1: {workdir: /app}"), "found unknown key \"workdir\"");
  EXPECT_PRED2(contains, said("default: {owner: amazon}"), "found unknown key \"owner\"");
  EXPECT_PRED2(contains, said("ami-1: conda"), "found \"conda\", expected a mapping such as {root");
}

}  // namespace
}  // namespace sim::scenario
