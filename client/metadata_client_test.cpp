#include "client/metadata_client.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "client/fakes_for_test.h"

namespace client {
namespace {

// Answers after `delay`, or not at all within the request's time-out.
struct LateMetadata : Http {
  explicit LateMetadata(testing::FakeClock& fake_clock) : clock(fake_clock) {}
  HttpResponse send(const HttpRequest& request) override {
    clock.time += std::min(delay, request.timeout);
    if (delay > request.timeout) throw TransportError("timed out");
    return {200, request.method == "PUT" ? "token" : "notice"};
  }
  testing::FakeClock& clock;
  Duration delay{};
};

struct LateMetadataTest : ::testing::Test {
  testing::FakeClock clock;
  LateMetadata http{clock};
  MetadataClient metadata{http, clock, "http://imds"};
};

// Half of the time in which a notice must be answered.
TEST_F(LateMetadataTest, AnAnswerThatTakesFiveSecondsIsReadWithinFifteen) {
  http.delay = std::chrono::seconds{5};
  for (const bool has_token : {false, true}) {
    const Time begin = clock.time;
    EXPECT_EQ(metadata.get("meta-data/spot/instance-action"), "notice");
    EXPECT_LE(clock.time - begin, std::chrono::seconds{15}) << has_token;
  }
}

TEST_F(LateMetadataTest, MetadataThatNeverAnswersIsAnErrorWithinHalfAMinute) {
  http.delay = std::chrono::hours{1};
  const Time begin = clock.time;
  EXPECT_THROW(metadata.get("meta-data/spot/instance-action"), MetadataError);
  EXPECT_LE(clock.time - begin, std::chrono::seconds{30});
}

}  // namespace
}  // namespace client
