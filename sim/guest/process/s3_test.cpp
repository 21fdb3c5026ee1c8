// S3 as programs in a guest use it: by its names, over TLS, in virtual time.
#include <gtest/gtest.h>

#include "sim/guest/process/levels_for_test.h"

namespace sim::guest {
namespace {

using test::at_both_levels;
using test::HostWorld;

TEST(GuestS3, KeepsWhatAwsCliSendsAndGivesItBack) {
  if (!std::filesystem::exists("/usr/bin/aws")) GTEST_SKIP() << "aws-cli is not installed";
  at_both_levels([](Level level) {
    HostWorld w(level);
    const auto id = w.launch(
        "export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_DEFAULT_REGION=us-west-2\n"
        "mkdir up && echo small >up/small && head -c 9000000 /dev/urandom >up/large\n"
        "aws s3 mb s3://data && aws s3 cp --quiet --recursive up s3://data/job\n"
        "aws s3 cp --quiet --recursive s3://data/job down && diff -r up down && echo same\n"
        "aws sts get-caller-identity --query Account --output text\n");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    EXPECT_EQ(w.console(id.value), "make_bucket: data\nsame\n123456789012\n");
    EXPECT_NE(w.lines.find("\"event\":\"object.stored\",\"bucket\":\"data\",\"key\":\"job/large\","
                           "\"bytes\":9000000"),
              std::string::npos)
        << w.lines;
  });
}

// An object with a checkpoint's bytes is that checkpoint, under any name. If another object
// replaces it, the copy is gone.
TEST(GuestS3, KnowsCopiesOfCheckpoints) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    w.backend.objects.create_bucket("data");
    w.launch(
        "url='https://data.s3.us-west-2.amazonaws.com/key?AWSAccessKeyId=a&Signature=b&Expires="
        "4000000000'\n"
        "echo of step 7 >/model; echo torn >/torn\n"
        "curl -s -T /model \"$url\"\n"
        "echo '{\"source\": \"trainer\", \"event\": \"checkpoint-written\", \"step\": 7, "
        "\"path\": \"/model\"}' >>\"$JOB_EVENTS\"\n"
        "sleep 1; curl -s -T /torn \"$url\"; sleep 1; curl -s -T /model \"$url\"\n");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    EXPECT_EQ(w.count("object.stored"), 3U);
    EXPECT_EQ(w.count("checkpoint.copied"), 2U) << w.lines;
    EXPECT_NE(w.lines.find("\"step\":7,\"path\":\"/model\",\"uri\":\"s3://data/key\""),
              std::string::npos)
        << w.lines;
  });
}

// 45 MB at 90 MB/s. An unfinished upload leaves no object.
TEST(GuestS3, TakesTheTimeThatTheBytesTake) {
  at_both_levels([](Level level) {
    HostWorld w(level);
    w.backend.objects.create_bucket("data");
    const auto id = w.launch(
        "url='https://data.s3.us-west-2.amazonaws.com/key?AWSAccessKeyId=a&Signature=b&Expires="
        "4000000000'\n"
        "tenths() { begin=$(date +%s%N); \"$@\" -s -S \"$url\"\n"
        "echo $(( ($(date +%s%N) - begin) / 100000000 )); }\n"
        "head -c 45000000 /dev/zero >large; echo old >old\n"
        "tenths curl -T old; tenths curl -T large -m 0.3 2>/dev/null\n"
        "curl -s \"$url\"; tenths curl -T large; tenths curl -o back; cmp large back\n");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    EXPECT_EQ(w.console(id.value), "1\n3\nold\n6\n6\n");
  });
}

}  // namespace
}  // namespace sim::guest
