// The entities of an IAM account, and the rules for their relations.
#include "sim/iam/account.h"

#include <gtest/gtest.h>

#include <utility>

#include "sim/iam/aws_managed_policies.h"

namespace sim::iam {
namespace {

const std::string kTrust = R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":)"
                           R"({"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]})";
const std::string kAllowsS3 =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}})";
const std::string kS3 = "arn:aws:iam::aws:policy/AmazonS3FullAccess";

struct World {
  Simulation simulation{parse_time("2019-11-05T10:00:00.5Z").value()};
  Streams streams{7};
  Account iam{simulation, streams, "123456789012"};

  const Role& role(const std::string& name, const std::string& path = "/") {
    Role made;
    made.name = name;
    made.path = path;
    made.trust_policy = kTrust;
    return iam.create_role(std::move(made));
  }
  const InstanceProfile& profile(const std::string& name) {
    InstanceProfile made;
    made.name = name;
    return iam.create_instance_profile(std::move(made));
  }
  const Policy& policy(const std::string& name) {
    Policy made;
    made.name = name;
    return iam.create_policy(std::move(made), kAllowsS3);
  }
};

// The error code of `act`; "" if it succeeds.
template <class Act>
std::string refused(Act act) {
  try {
    act();
    return "";
  } catch (const ApiError& error) {
    return error.code();
  }
}

TEST(IamAccount, EntitiesHaveArnsAndIdsThatDifferWhenMadeAgain) {
  World w;
  const Role first = w.role("train", "/ml/");
  EXPECT_EQ(first.arn, "arn:aws:iam::123456789012:role/ml/train");
  EXPECT_EQ(first.id.substr(0, 4), "AROA");
  EXPECT_EQ(first.id.size(), 21U);
  EXPECT_EQ(iso_seconds(first.created), "2019-11-05T10:00:00Z");
  EXPECT_EQ(refused([&] { w.role("TRAIN"); }), "EntityAlreadyExists") << "case does not matter";
  w.iam.delete_role("train");
  EXPECT_NE(w.role("train", "/ml/").id, first.id);
  EXPECT_EQ(World().role("train", "/ml/").id, first.id) << "the seed decides";
}

TEST(IamAccount, ARoleIsDeletedAfterAllItsParts) {
  World w;
  w.role("train");
  w.profile("train");
  w.iam.add_role("train", "train");
  w.iam.attach_policy(Owner::kRole, "train", kS3);
  w.iam.put_policy(Owner::kRole, "train", "logs", kAllowsS3);
  const auto goes = [&] { return refused([&] { w.iam.delete_role("train"); }); };
  EXPECT_EQ(refused([&] { w.iam.delete_instance_profile("train"); }), "DeleteConflict");
  EXPECT_EQ(goes(), "DeleteConflict");
  w.iam.remove_role("train", "train");
  EXPECT_EQ(goes(), "DeleteConflict");
  w.iam.detach_policy(Owner::kRole, "train", kS3);
  EXPECT_EQ(goes(), "DeleteConflict");
  w.iam.delete_inline_policy(Owner::kRole, "train", "logs");
  EXPECT_EQ(goes(), "");
  EXPECT_EQ(goes(), "NoSuchEntity");
}

TEST(IamAccount, AProfileHasOneRole) {
  World w;
  w.role("a");
  w.role("b");
  w.profile("p");
  EXPECT_EQ(refused([&] { w.iam.add_role("p", "none"); }), "NoSuchEntity");
  w.iam.add_role("p", "a");
  EXPECT_EQ(refused([&] { w.iam.add_role("p", "b"); }), "LimitExceeded");
  EXPECT_EQ(refused([&] { w.iam.remove_role("p", "b"); }), "NoSuchEntity");
  EXPECT_EQ(w.iam.instance_profiles_with("a").size(), 1U);
}

TEST(IamAccount, APolicyHasFiveVersionsAndIsDeletedOnlyUnattached) {
  World w;
  w.role("train");
  const std::string arn = w.policy("own").arn;
  for (int i = 2; i <= 5; ++i) EXPECT_EQ(w.iam.create_policy_version(arn, kAllowsS3, i == 3), i);
  EXPECT_EQ(refused([&] { w.iam.create_policy_version(arn, kAllowsS3, true); }), "LimitExceeded");
  EXPECT_EQ(refused([&] { w.iam.delete_policy_version(arn, "v3"); }), "DeleteConflict");
  EXPECT_EQ(refused([&] { w.iam.delete_policy_version(arn, "v7"); }), "NoSuchEntity");
  EXPECT_EQ(refused([&] { w.iam.delete_policy_version(arn, "3"); }), "ValidationError");
  for (const char* version : {"v1", "v2", "v4", "v5"}) w.iam.delete_policy_version(arn, version);
  EXPECT_EQ(w.iam.create_policy_version(arn, kAllowsS3, true), 6) << "numbers are not used again";
  w.iam.delete_policy_version(arn, "v3");
  w.iam.attach_policy(Owner::kRole, "train", arn);
  EXPECT_EQ(refused([&] { w.iam.delete_policy(arn); }), "DeleteConflict");
  w.iam.detach_policy(Owner::kRole, "train", arn);
  w.iam.delete_policy(arn);
  EXPECT_EQ(refused([&] { w.iam.attach_policy(Owner::kRole, "train", arn); }), "NoSuchEntity");
}

TEST(IamAccount, APermissionsBoundaryIsNotDeleted) {
  World w;
  w.role("train");
  User ann;
  ann.name = "ann";
  w.iam.create_user(ann);
  const std::string arn = w.policy("limit").arn;
  for (const auto& [owner, name] :
       {std::pair{Owner::kRole, "train"}, std::pair{Owner::kUser, "ann"}}) {
    w.iam.set_permissions_boundary(owner, name, arn);
    EXPECT_EQ(refused([&] { w.iam.delete_policy(arn); }), "DeleteConflict") << name;
    w.iam.set_permissions_boundary(owner, name, "");
  }
  w.iam.delete_policy(arn);
}

TEST(IamAccount, AwsManagedPoliciesCannotBeChanged) {
  World w;
  w.role("train");
  EXPECT_GT(aws_managed_policies().size(), 80U);
  EXPECT_TRUE(aws_managed_policies().contains(kS3));
  EXPECT_EQ(refused([&] { w.iam.delete_policy(kS3); }), "AccessDenied");
  EXPECT_EQ(refused([&] { w.iam.attach_policy(Owner::kRole, "train", kS3 + "s"); }),
            "NoSuchEntity");
  EXPECT_EQ(refused([&] { w.iam.attach_policy(Owner::kRole, "train", "AmazonS3FullAccess"); }),
            "ValidationError");
}

TEST(IamAccount, OnlyAwsChangesARoleOfAService) {
  World w;
  const Role& role = w.iam.create_service_linked_role("spot.amazonaws.com", "", "");
  EXPECT_EQ(role.arn,
            "arn:aws:iam::123456789012:role/aws-service-role/spot.amazonaws.com/"
            "AWSServiceRoleForEC2Spot");
  for (const std::string& arn : role.attached_policies) EXPECT_NO_THROW(w.iam.policy(arn)) << arn;
  EXPECT_EQ(refused([&] { w.iam.create_service_linked_role("spot.amazonaws.com", "", ""); }),
            "InvalidInput");
  EXPECT_EQ(refused([&] { w.iam.delete_role("AWSServiceRoleForEC2Spot"); }), "UnmodifiableEntity");
  EXPECT_EQ(w.iam.create_service_linked_role("autoscaling.amazonaws.com", "mine", "").name,
            "AWSServiceRoleForAutoScaling_mine");
  const std::string deletion = w.iam.delete_service_linked_role("AWSServiceRoleForEC2Spot");
  EXPECT_TRUE(
      deletion.starts_with("task/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot/"));
  EXPECT_NO_THROW(w.iam.check_deletion(deletion));
  EXPECT_EQ(refused([&] { w.iam.check_deletion("task/none"); }), "NoSuchEntity");
  EXPECT_EQ(refused([&] { w.iam.delete_service_linked_role("AWSServiceRoleForEC2Spot"); }),
            "NoSuchEntity");
}

TEST(IamAccount, LimitsAreAws) {
  World w;
  w.role("train");
  int attached = 0;
  for (const auto& [arn, policy] : aws_managed_policies()) {
    if (policy.path.starts_with("/aws-service-role/")) continue;
    const std::string code = refused([&] { w.iam.attach_policy(Owner::kRole, "train", arn); });
    EXPECT_EQ(code, attached < 10 ? "" : "LimitExceeded");
    if (++attached > 10) break;
  }
  const auto long_document = [](std::size_t size) {
    return R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":")"
           R"(arn:aws:s3:::)" +
           std::string(size, 'b') + R"("}})";
  };
  EXPECT_EQ(refused([&] { w.iam.put_policy(Owner::kRole, "train", "p", long_document(10'100)); }),
            "");
  EXPECT_EQ(refused([&] { w.iam.put_policy(Owner::kRole, "train", "q", long_document(100)); }),
            "LimitExceeded");
  Policy policy;
  policy.name = "long";
  EXPECT_EQ(refused([&] { w.iam.create_policy(policy, long_document(6'100)); }), "LimitExceeded");
}

TEST(IamAccount, TagsHaveOneSpelling) {
  World w;
  w.role("train");
  w.iam.tag_role("train", {{"Team", "a"}, {"Cost", "1"}});
  w.iam.tag_role("train", {{"team", "b"}});
  EXPECT_EQ(w.iam.role("train").tags, (Tags{{"Cost", "1"}, {"team", "b"}}));
  w.iam.untag_role("train", {"COST"});
  EXPECT_EQ(w.iam.role("train").tags.size(), 1U);
  EXPECT_EQ(refused([&] { w.iam.tag_role("train", {{"aws:x", "1"}}); }), "InvalidInput");
  EXPECT_EQ(refused([&] { w.iam.tag_role("train", {{"a!", "1"}}); }), "ValidationError");
}

TEST(IamAccount, LaunchesAcceptUnknownProfilesUntilOneIsCreated) {
  World w;
  const auto launched = [&](const std::string& name) {
    return w.iam.instance_profile_for_launch(name);
  };
  ASSERT_NE(launched("spot-training"), nullptr);
  EXPECT_EQ(launched("spot-training")->role, "spot-training");
  EXPECT_EQ(launched("arn:aws:iam::123456789012:instance-profile/job")->name, "job");
  EXPECT_EQ(w.iam.instance_profiles().size(), 2U);
  w.profile("own");
  EXPECT_EQ(launched("nope"), nullptr);
  EXPECT_EQ(launched("arn:aws:iam::210987654321:instance-profile/own"), nullptr);
  EXPECT_NE(launched("arn:aws:iam::123456789012:instance-profile/own"), nullptr);
  EXPECT_NE(launched("spot-training"), nullptr);
  w.iam.remove_role("spot-training", "spot-training");
  w.iam.delete_instance_profile("spot-training");
  EXPECT_EQ(launched("spot-training"), nullptr);
}

TEST(IamAccount, AnAccountWithListedProfilesHasNoOthers) {
  World w;
  w.iam.begin_with({"a"});
  EXPECT_NE(w.iam.instance_profile_for_launch("a"), nullptr);
  EXPECT_EQ(w.iam.instance_profile_for_launch("b"), nullptr);
}

}  // namespace
}  // namespace sim::iam
