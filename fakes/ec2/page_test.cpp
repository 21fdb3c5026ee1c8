#include <gtest/gtest.h>

#include "base/text/base64.h"
#include "fakes/backend_for_test.h"

namespace fakes {
namespace {

void make_volumes(TestBackend& t, int count) {
  for (int i = 0; i < count; ++i)
    t.ec2("CreateVolume", {{"AvailabilityZone", "us-west-2a"}, {"Size", "1"}});
}

// EC2 API reference, DescribeVolumes, MaxResults: "if MaxResults is given a value larger than 500,
// only 500 results are returned"; DescribeSnapshots has the same of 1,000.
TEST(Ec2Page, OfVolumesAndSnapshotsIsCutDownToTheMostThatThereIs) {
  TestBackend t;
  make_volumes(t, 501);
  for (const char* asked : {"500", "501", "1000", "2000000000"}) {
    const auto page = t.ec2("DescribeVolumes", {{"MaxResults", asked}});
    EXPECT_EQ(page.all("volumeSet/item").size(), 500U) << asked;
    const auto rest =
        t.ec2("DescribeVolumes", {{"MaxResults", asked}, {"NextToken", page.at("nextToken")}});
    EXPECT_EQ(rest.all("volumeSet/item").size(), 1U) << asked;
    EXPECT_EQ(rest.at("nextToken"), "") << asked;
  }
  EXPECT_EQ(t.ec2("DescribeVolumes").all("volumeSet/item").size(), 501U);
  EXPECT_EQ(t.ec2("DescribeVolumeStatus", {{"MaxResults", "1001"}}).status(), 200);
  EXPECT_EQ(t.ec2("DescribeSnapshots", {{"MaxResults", "1001"}}).status(), 200);
}

TEST(Ec2Page, ASizeOutOfBoundsIsRefusedWithEc2sMessage) {
  TestBackend t;
  EXPECT_EQ(t.ec2("DescribeVolumes", {{"MaxResults", "4"}}).message(),
            "Value ( 4 ) for parameter maxResults is invalid. Expecting a value greater than 5.");
  const auto refused = t.ec2("DescribeInstances", {{"MaxResults", "1001"}});
  EXPECT_EQ(refused.code(), "InvalidParameterValue");
  EXPECT_EQ(refused.message(),
            "Value ( 1001 ) for parameter maxResults is invalid. Expecting a value smaller than "
            "1000.");
}

TEST(Ec2Page, TokenIsGoodForWhatItWasGivenFor) {
  TestBackend t;
  make_volumes(t, 6);
  const auto token = t.ec2("DescribeVolumes", {{"MaxResults", "5"}}).at("nextToken");
  EXPECT_EQ(t.ec2("DescribeVolumes", {{"NextToken", token}}).all("volumeSet/item").size(), 1U);
  EXPECT_EQ(t.ec2("DescribeSnapshots", {{"NextToken", token}}).code(), "InvalidNextToken");
  std::string other = token;
  other.front() = other.front() == 'A' ? 'B' : 'A';
  const std::string text = base::base64_decode(token).value();
  for (const std::string& bad :
       {other, std::string("x"), base::base64_encode(text + "x"), base::base64_encode(text + "-"),
        base::base64_encode(text.substr(0, text.rfind(':') + 1)),
        base::base64_encode(text + "99999999999999999999")})
    EXPECT_EQ(t.ec2("DescribeVolumes", {{"NextToken", bad}}).code(), "InvalidNextToken") << bad;
}

// A launch template has one version: the page after it is empty.
TEST(Ec2Page, OfVersionsEnds) {
  TestBackend t;
  t.ec2("CreateLaunchTemplate",
        {{"LaunchTemplateName", "one"}, {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"}});
  const auto page =
      t.ec2("DescribeLaunchTemplateVersions", {{"LaunchTemplateName", "one"}, {"MaxResults", "1"}});
  EXPECT_EQ(page.all("launchTemplateVersionSet/item").size(), 1U);
  EXPECT_EQ(page.at("nextToken"), "");
  const auto after = t.ec2("DescribeLaunchTemplateVersions",
                           {{"LaunchTemplateName", "one"},
                            {"NextToken", base::base64_encode("spotsim-page:versions:1")}});
  EXPECT_EQ(after.status(), 200);
  EXPECT_EQ(after.all("launchTemplateVersionSet/item").size(), 0U);
}

}  // namespace
}  // namespace fakes
