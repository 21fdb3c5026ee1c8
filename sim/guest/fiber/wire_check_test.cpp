#include "sim/guest/fiber/wire_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "api/ec2.h"

namespace sim::guest {
namespace {

namespace op = api::ec2::op;
using fakes::DirectReply;
using fakes::DirectRequest;

// The messages about a request and the service's answer.
template <class Op>
std::vector<std::string> told_of(const typename Op::Request& request, const DirectReply& reply) {
  std::vector<std::string> told;
  const auto handler =
      checked_on_the_wire([&](const DirectRequest&) { return reply; },
                          [&](const std::string& difference) { told.push_back(difference); });
  handler({Op::service(), Op::service().operations[Op::kAt], &request, "us-west-2"});
  return told;
}

template <class Op>
DirectReply answer(const typename Op::Response& response) {
  return {.response = std::make_shared<const typename Op::Response>(response)};
}

using Texts = std::vector<std::string>;

TEST(WireCheck, DoesNotReportWhatTheWireKeeps) {
  const op::DescribeVolumes::Response one{
      .volumes = {{.create_time = api::Timestamp(std::chrono::milliseconds(5)),
                   .size = 100,
                   .tags = {{.key = "a", .value = "<&> \"b\""}}}}};
  EXPECT_EQ(told_of<op::DescribeVolumes>({.filters = {{.name = "tag:a", .values = {"b c&d=e"}}}},
                                         answer<op::DescribeVolumes>(one)),
            Texts{});
  EXPECT_EQ(told_of<op::DescribeVolumes>({}, {.error = {"Throttled", "Too <many>.", 503}}),
            Texts{});
}

TEST(WireCheck, ReportsLossesByPath) {
  const op::DescribeVolumes::Response nanosecond{
      .volumes = {{.create_time = api::Timestamp(std::chrono::nanoseconds(5'000'001))}}};
  EXPECT_EQ(told_of<op::DescribeVolumes>({}, answer<op::DescribeVolumes>(nanosecond)),
            Texts{"DescribeVolumes: answer: Volumes.1.CreateTime: 1970-01-01T00:00:00.005Z "
                  "(5000001 ns), 1970-01-01T00:00:00.005Z (5000000 ns)"});
  op::DescribeVolumes::Request empty;
  empty.volume_ids.give();
  EXPECT_EQ(told_of<op::DescribeVolumes>(empty, answer<op::DescribeVolumes>({})),
            Texts{"DescribeVolumes: request: VolumeIds: given, not given"});
}

TEST(WireCheck, ARequestThatTheServiceCannotReadMustBeRefusedDirectlyToo) {
  const DirectReply refused{
      .error = {"MissingParameter", "The request must contain the parameter VolumeId", 400}};
  const op::DeleteVolume::Request no_volume;
  EXPECT_EQ(told_of<op::DeleteVolume>(no_volume, refused), Texts{});
  const auto told = told_of<op::DeleteVolume>(no_volume, answer<op::DeleteVolume>({}));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].starts_with("DeleteVolume: error of the request: ")) << told[0];
}

}  // namespace
}  // namespace sim::guest
