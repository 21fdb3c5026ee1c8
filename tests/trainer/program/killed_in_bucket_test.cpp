// spottrain with its checkpoints in spotsim's S3: killed at every request of a save.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "base/files/folder_for_test.h"
#include "base/long_for_test.h"
#include "fakes/backend_for_test.h"
#include "fakes/http/loopback_server_for_test.h"

namespace {

constexpr int kKilled = 128 + SIGKILL;

class SpottrainInABucket : public testing::Test {
 protected:
  void SetUp() override {
    fake_.backend.objects.create_bucket("data");
    loopback_.server.take_long_uploads(fakes::long_uploads(fake_.backend.latencies));
    const int port = loopback_.listen([this](const fakes::Request& request) {
      const bool last = ++requests_ == last_;
      if (last && dies_before_) return dead_end();
      fakes::Reply reply = fake_.api(request);
      return last ? dead_end() : std::move(reply);
    });
    const std::string endpoint = "http://127.0.0.1:" + std::to_string(port);
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"AWS_ENDPOINT_URL_S3", endpoint},
                                            {"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                            {"AWS_SECRET_ACCESS_KEY", "secret"},
                                            {"AWS_REGION", "us-west-2"}})
      setenv(name.c_str(), value.c_str(), 1);
    for (const char* name : {"http_proxy", "AWS_SESSION_TOKEN", "CHECKPOINT_DIR"}) unsetenv(name);
    EXPECT_EQ(
        spottrain({"synthesize", (folder_ / "data").string(), "--train", "16", "--test", "8"}), 0);
  }
  // The reply to a client that is being killed.
  static fakes::Reply dead_end() {
    return {fakes::Response(boost::beast::http::status::service_unavailable, 11)};
  }
  int spottrain(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SPOTTRAIN);
    int status = -1;
    errors_ = loopback_.run(arguments, status, [this] { return last_ > 0 && requests_ >= last_; });
    return status;
  }
  // Two steps, and a checkpoint of 15 MB, in two parts, after each step.
  int train(const std::string& place) {
    return spottrain({"train", "--data", (folder_ / "data").string(), "--checkpoints", place,
                      "--model", "mlp", "--batch", "8", "--epochs", "1", "--policy", "steps:1"});
  }
  int verify(const std::string& path) { return spottrain({"verify", path}); }

  fakes::TestBackend fake_;
  fakes::Loopback loopback_{fake_.simulation};
  base::FolderForTest folder_;
  // The present number, and the one at which the client is killed; 0: none.
  int requests_ = 0, last_ = 0;
  bool dies_before_ = false;  // before it has an effect
  std::string errors_;
};

TEST_F(SpottrainInABucket, AKillAtAnyRequestOfASaveLosesNothingThatIsDurable) {
  ASSERT_EQ(train("s3://data/whole"), 0) << errors_;
  const auto& objects = fake_.backend.objects.bucket("data").objects;
  const std::string last = objects.rbegin()->first;
  ASSERT_EQ(last, "whole/step-0000000002.safetensors");
  std::string at_end;
  int kills = 0;
  // From the second list at the start to the rotation after the second save. The long tests kill
  // before and after each request's effect, the others only one of both.
  // InABucket.AKillAtAnyRequestOfASaveLeavesAValidOne has both, in one process.
  for (int nth = 2; nth <= 16; ++nth) {
    for (const bool before : {true, false}) {
      if (!long_tests() && before != (nth % 2 == 0)) continue;
      const std::string prefix = "kill-" + std::to_string(2 * nth + before),
                        place = "s3://data/" + prefix;
      requests_ = 0, last_ = nth, dies_before_ = before;
      kills += train(place) == kKilled;
      last_ = 0;
      std::string newest;  // the newest one with a manifest: it must be complete
      for (const auto& [key, object] : objects)
        if (key.starts_with(prefix + '/') && key.ends_with(".json")) newest = key;
      if (!newest.empty()) {
        EXPECT_EQ(verify("s3://data/" + newest), 0) << errors_;
      }
      ASSERT_EQ(train(place), 0) << errors_;
      EXPECT_EQ(errors_.find("REJECTED"), errors_.npos) << errors_;
      EXPECT_EQ(verify(place), 0) << errors_;
      EXPECT_EQ(objects.at(prefix + "/step-0000000002.safetensors").etag, objects.at(last).etag);
    }
  }
  EXPECT_EQ(kills, long_tests() ? 30 : 15);
}

}  // namespace
