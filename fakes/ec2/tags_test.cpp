// CreateTags, DeleteTags and DescribeTags.
#include <gtest/gtest.h>

#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

TEST(Ec2Tags, ImagesHaveThemLikeOtherResources) {
  TestBackend t;
  const auto image =
      t.ec2("CreateImage", {{"InstanceId", t.instance()}, {"Name", "ours"}}).at("imageId");
  t.ec2("CreateTags", {{"ResourceId.1", image}, {"Tag.1.Key", "a"}, {"Tag.1.Value", "1"}});
  EXPECT_EQ(t.ec2("DescribeTags", {{"Filter.1.Name", "key"}, {"Filter.1.Value.1", "a"}})
                .at("tagSet/item/resourceType"),
            "image");
  t.ec2("DeleteTags", {{"ResourceId.1", image}, {"Tag.1.Key", "a"}});
  EXPECT_TRUE(t.ec2("DescribeTags").all("tagSet/item/key").empty());
}

TEST(Ec2Tags, NeedResources) {
  TestBackend t;
  for (const char* action : {"CreateTags", "DeleteTags"}) {
    const Answer refused = t.ec2(action, {{"Tag.1.Key", "a"}});
    EXPECT_EQ(refused.code(), "MissingParameter") << action;
    EXPECT_EQ(refused.message(), "The request must contain the parameter resourceIdSet") << action;
  }
}

}  // namespace
}  // namespace fakes
