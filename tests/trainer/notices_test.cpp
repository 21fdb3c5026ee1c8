// The trainer's watch for notices against spotsim's metadata service, over a socket.
#include <gtest/gtest.h>
#include <poll.h>

#include <functional>
#include <string>

#include "fakes/backend_for_test.h"
#include "fakes/http/loopback_server_for_test.h"
#include "trainer/spot/imds_watch.h"

namespace {

using namespace std::chrono_literals;
using sim::cloud::Cloud;

class NoticesFromTheFake : public testing::Test {
 protected:
  void SetUp() override {
    const auto request = fake_.cloud.request_spot_instances({.image_id = "ami-1",
                                                             .instance_type = "p3.2xlarge",
                                                             .availability_zone = "us-west-2b",
                                                             .imds_v2_required = true},
                                                            1, "one-time");
    fake_.run(2min);
    instance_ = fake_.cloud.spot_requests().at(request[0]).instance;
    const int port = loopback_.listen(fakes::imds(fake_.backend, instance_));
    options_ = {.endpoint = "http://127.0.0.1:" + std::to_string(port), .interval = 2ms};
  }

  // Serves until the condition is true, for at most ten seconds of real time.
  bool becomes(const std::function<bool()>& condition) {
    for (int i = 0; i < 10'000 && !condition(); ++i) {
      loopback_.settle();
      poll(nullptr, 0, 1);
    }
    return condition();
  }
  // How many requests for a path were answered with this status.
  int answered(const std::string& path, int status) const {
    int count = 0;
    for (const std::string& line : fake_.lines) {
      count += line.find("\"path\":\"/latest/" + path + "\"") != std::string::npos &&
               line.find("\"status\":" + std::to_string(status)) != std::string::npos;
    }
    return count;
  }

  fakes::TestBackend fake_;
  fakes::Loopback loopback_{fake_.simulation};
  sim::cloud::InstanceId instance_;
  spottrain::ImdsWatchOptions options_;
};

constexpr const char* kAction = "meta-data/spot/instance-action";

TEST_F(NoticesFromTheFake, ArriveWithTheirActionAndTime) {
  const spottrain::ImdsWatch watch(options_);
  ASSERT_TRUE(becomes([&] { return answered(kAction, 404) >= 3; }));
  EXPECT_FALSE(watch.notice());
  fake_.cloud.interrupt(instance_, Cloud::Notice::kGiven, "no-capacity");
  ASSERT_TRUE(becomes([&] { return watch.notice().has_value(); }));
  EXPECT_EQ(watch.notice()->reason, "spot/instance-action: terminate");
  EXPECT_TRUE(watch.notice()->deadline);
}

TEST_F(NoticesFromTheFake, ARecommendationIsNoNotice) {
  const spottrain::ImdsWatch watch(options_);
  fake_.cloud.recommend_rebalance(instance_);
  ASSERT_TRUE(becomes([&] { return watch.rebalance(); }));
  EXPECT_FALSE(watch.notice());
}

TEST_F(NoticesFromTheFake, ATokenThatEndedIsReplaced) {
  const spottrain::ImdsWatch watch(options_);
  ASSERT_TRUE(becomes([&] { return answered(kAction, 404) >= 1; }));
  fake_.run(7h);  // a token lives six
  ASSERT_TRUE(becomes([&] { return answered("api/token", 200) >= 2; }));
  EXPECT_GE(answered(kAction, 401) + answered("meta-data/events/recommendations/rebalance", 401),
            1);
  fake_.cloud.interrupt(instance_, Cloud::Notice::kGiven, "no-capacity");
  EXPECT_TRUE(becomes([&] { return watch.notice().has_value(); }));
}

TEST_F(NoticesFromTheFake, AServiceThatIsOffGivesNoNotice) {
  fake_.backend.imds_enabled = false;
  const spottrain::ImdsWatch watch(options_);
  ASSERT_TRUE(becomes([&] { return answered("api/token", 403) >= 3; }));
  EXPECT_FALSE(watch.notice());
  EXPECT_FALSE(watch.rebalance());
}

}  // namespace
