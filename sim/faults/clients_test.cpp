// Faults seen by a real client, over real sockets.
#include "fakes/http/loopback_server_for_test.h"
#include "sim/faults/world_for_test.h"

namespace sim::faults {
namespace {

constexpr const char* kCurl = "/usr/bin/curl";

struct FaultsOverHttp : testing::Test {
  void SetUp() override {
    if (access(kCurl, X_OK) != 0) GTEST_SKIP() << kCurl << " is not installed";
  }
  std::string curl(int port, const std::string& path, std::vector<std::string> more) {
    std::vector<std::string> command{kCurl, "-sS"};
    command.insert(command.end(), more.begin(), more.end());
    command.push_back("http://127.0.0.1:" + std::to_string(port) + path);
    return loopback.run(command, status);
  }
  std::string describe(int port, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--aws-sigv4", "aws:amz:us-west-2:ec2", "--user", "a:b", "--data",
                             "Action=DescribeVolumes&Version=2016-11-15"});
    return curl(port, "/", more);
  }
  FaultWorld w;
  fakes::Loopback loopback{w.simulation};
  int status = 0;
};

TEST_F(FaultsOverHttp, AnErrorIsEc2sDocument) {
  w.play({fault(OnCall{.action = "DescribeVolumes"}, "api-throttled")});
  const int port = loopback.listen(fakes::aws(w.backend, "operator"));
  const std::string text = describe(port, {"-w", "%{http_code}"});
  EXPECT_NE(text.find("<Code>RequestLimitExceeded</Code>"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("503")) << text;
  EXPECT_TRUE(describe(port, {"-w", "%{http_code}"}).ends_with("200"));
}

TEST_F(FaultsOverHttp, ALostAnswerNeverComes) {
  w.play({fault(OnCall{.action = "DescribeVolumes"}, "api-lost-answer")});
  const int port = loopback.listen(fakes::aws(w.backend, "operator"));
  EXPECT_EQ(describe(port, {"--max-time", "0.3"}).find("<volumeSet"), std::string::npos);
  EXPECT_EQ(status, 28) << "curl's own time-out";
  EXPECT_NE(describe(port).find("<volumeSet"), std::string::npos) << "the next one is answered";
}

TEST_F(FaultsOverHttp, MetadataFailsIsSlowAndIsSilent) {
  const std::string id = w.instance();
  w.play({fault(OnMetadata{}, "imds-error", {{"status", "503"}, {"times", "1"}}),
          fault(OnMetadata{.nth = 2}, "imds-slow", {{"delay", "7s"}, {"times", "1"}}),
          fault(OnMetadata{.nth = 4}, "imds-down", {{"times", "1"}})});
  const int port = loopback.listen(fakes::imds(w.backend, {id}));
  const auto get = [&](std::vector<std::string> more = {}) {
    return curl(port, "/latest/meta-data/instance-id", more);
  };
  EXPECT_TRUE(get({"-w", "%{http_code}"}).ends_with("503"));
  get({"--max-time", "0.3"});
  EXPECT_EQ(status, 28) << "7 s do not pass here";
  EXPECT_EQ(get(), id);
  get({"--max-time", "0.3"});
  EXPECT_EQ(status, 28);
  EXPECT_EQ(get(), id);
}

}  // namespace
}  // namespace sim::faults
