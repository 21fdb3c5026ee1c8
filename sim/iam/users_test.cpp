// Users, groups and credentials of an account, and their permissions.
#include <gtest/gtest.h>

#include "sim/cloud/error.h"
#include "sim/iam/account.h"
#include "sim/iam/credential_report.h"

namespace sim::iam {
namespace {

struct TestAccount {
  Simulation simulation{parse_time("2019-11-05T10:00:00Z").value()};
  Streams streams{7};
  Account iam{simulation, streams, "123456789012"};
  bool may(const Caller& caller, const char* action) {
    const ContextKeys keys = [](std::string_view) { return std::optional<Values>(); };
    return decide(iam.policies_of(caller), {action, "*", keys}, caller).allowed();
  }
};
const std::string kAllowsVolumes =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"ec2:*Volume*",)"
    R"("Resource":"*"}})";
constexpr const char* kS3Access = "arn:aws:iam::aws:policy/AmazonS3FullAccess";

TEST(Users, AUserHasItsOwnPoliciesAndItsGroups) {
  TestAccount t;
  User user;
  user.name = "ann";
  t.iam.create_user(user);
  const Caller ann = t.iam.caller_of_user("ann");
  EXPECT_FALSE(t.may(ann, "ec2:AttachVolume"));
  Group group;
  group.name = "trainers";
  t.iam.create_group(group);
  t.iam.put_policy(Owner::kGroup, "trainers", "volumes", kAllowsVolumes);
  t.iam.add_to_group("trainers", "ann");
  t.iam.attach_policy(Owner::kUser, "ann", kS3Access);
  EXPECT_TRUE(t.may(ann, "ec2:AttachVolume"));
  EXPECT_TRUE(t.may(ann, "s3:PutObject"));
  t.iam.set_permissions_boundary(Owner::kUser, "ann", kS3Access);
  EXPECT_FALSE(t.may(ann, "ec2:AttachVolume"));
  t.iam.set_permissions_boundary(Owner::kUser, "ann", "");
  t.iam.remove_from_group("trainers", "ann");
  EXPECT_FALSE(t.may(ann, "ec2:AttachVolume"));
}

TEST(Users, TheOperatorIsAnAdministratorUnlessTheScenarioLimitsIt) {
  TestAccount t;
  t.iam.set_deciding({.policies = true});
  EXPECT_EQ(t.iam.find_access_key(kOperatorKey)->secret, kOperatorSecret);
  EXPECT_TRUE(t.may(t.iam.caller_of_user("operator"), "iam:CreateUser"));
  t.iam.begin_with_policies({{"operator", kAllowsVolumes}, {"train", kAllowsVolumes}});
  EXPECT_FALSE(t.may(t.iam.caller_of_user("operator"), "iam:CreateUser"));
  EXPECT_TRUE(t.may(t.iam.caller_of_role("train", "i-1"), "ec2:AttachVolume"));
  EXPECT_NE(t.iam.instance_profile_for_launch("train"), nullptr);
  EXPECT_EQ(t.iam.instance_profile_for_launch("other"), nullptr);
}

TEST(Users, ADeletedRolesSessionHasNoPermission) {
  TestAccount t;
  t.iam.begin_with({"train"});
  t.iam.attach_policy(Owner::kRole, "train", kS3Access);
  const Caller session = t.iam.caller_of_role("train", "s");
  EXPECT_TRUE(t.may(session, "s3:PutObject"));
  t.iam.detach_policy(Owner::kRole, "train", kS3Access);
  t.iam.remove_role("train", "train");
  t.iam.delete_role("train");
  EXPECT_FALSE(t.may(session, "s3:PutObject"));
}

TEST(Users, SessionsOfOneNameHaveThePermissionsOfTheirUser) {
  TestAccount t;
  for (const char* name : {"ann", "bob"}) {
    User user;
    user.name = name;
    t.iam.create_user(user);
  }
  t.iam.put_policy(Owner::kUser, "ann", "volumes", kAllowsVolumes);
  const auto guest_of = [&](const char* name) {
    Caller guest = t.iam.federated_caller(t.iam.caller_of_user(name), "guest");
    guest.session_policies = {kAllowsVolumes};
    return guest;
  };
  EXPECT_EQ(guest_of("ann").arn, guest_of("bob").arn);
  EXPECT_TRUE(t.may(guest_of("ann"), "ec2:AttachVolume"));
  EXPECT_FALSE(t.may(guest_of("bob"), "ec2:AttachVolume"));
  EXPECT_TRUE(t.may(guest_of("ann"), "ec2:AttachVolume"));
}

// ---- users, keys and sessions

TEST(Users, AreRenamedWithTheirKeysAndDeletedOnlyWithoutContent) {
  TestAccount t;
  User user;
  user.name = "ann", user.path = "/ml/";
  t.iam.create_user(user);
  const std::string key = t.iam.create_access_key("ann").id;
  t.iam.rename_user("ann", "eve", "/");
  EXPECT_EQ(t.iam.user("eve").arn, "arn:aws:iam::123456789012:user/eve");
  EXPECT_EQ(t.iam.find_access_key(key)->user, "eve");
  EXPECT_EQ(refused([&] { t.iam.delete_user("eve"); }), "DeleteConflict");
  t.iam.create_access_key("eve");
  EXPECT_EQ(refused([&] { t.iam.create_access_key("eve"); }), "LimitExceeded");
  for (const AccessKey* one : t.iam.access_keys("eve"))
    t.iam.delete_access_key("eve", std::string(one->id));
  t.iam.delete_user("eve");
  EXPECT_EQ(refused([&] { t.iam.user("eve"); }), "NoSuchEntity");
}

TEST(Users, SessionsAreForgottenADayAfterTheirEnd) {
  TestAccount t;
  const std::string first = t.iam.open_session(t.iam.root(), std::chrono::hours{1}).key_id;
  EXPECT_TRUE(first.starts_with("ASIA"));
  t.simulation.run_until(t.simulation.now() + std::chrono::hours{26});
  t.iam.open_session(t.iam.root(), std::chrono::hours{1});
  EXPECT_EQ(t.iam.find_session(first), nullptr);
}

TEST(CredentialReport, QuotesWhatWouldEndACell) {
  TestAccount t;
  User user;
  user.name = "ann,eve", user.path = "/\"ml\"/";
  t.iam.create_user(user);
  const std::string csv = credential_csv(t.iam);
  EXPECT_NE(csv.find("\n\"ann,eve\",\"arn:aws:iam::123456789012:user/\"\"ml\"\"/ann,eve\",2019-"),
            std::string::npos)
      << csv;
}

}  // namespace
}  // namespace sim::iam
