// CloudWatch Logs and ECR as programs in a guest reach them: by their names, over TLS.
#include <gtest/gtest.h>

#include "sim/guest/process/levels_for_test.h"

namespace sim::guest {
namespace {

using test::at_both_levels;
using test::HostWorld;

TEST(GuestLogs, ATrainingsLogIsReadAndWritten) {
  if (!std::filesystem::exists("/usr/bin/aws")) GTEST_SKIP() << "aws-cli is not installed";
  at_both_levels([](Level level) {
    HostWorld w(level);
    w.backend.logs.append("/aws/sagemaker/TrainingJobs", "job/algo-1-1572948000",
                          logs::milliseconds(w.simulation.now()), "Epoch 1/10");
    const auto id = w.launch(
        "export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_DEFAULT_REGION=us-west-2 "
        "AWS_DEFAULT_OUTPUT=text\n"
        "group='--log-group-name /aws/sagemaker/TrainingJobs'\n"
        "aws logs put-log-events $group --log-stream-name job/algo-1-1572948000 --query x "
        "--log-events timestamp=$(date +%s000),message=done\n"
        "aws logs tail /aws/sagemaker/TrainingJobs --format short | cut -d' ' -f2-\n"
        "aws ecr get-login-password | wc -w\n");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    EXPECT_EQ(w.console(id.value), "None\nEpoch 1/10\ndone\n1\n");
  });
}

}  // namespace
}  // namespace sim::guest
