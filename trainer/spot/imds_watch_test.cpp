#include "trainer/spot/imds_watch.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include "trainer/spot/metadata_server_for_test.h"

namespace spottrain {
namespace {

using namespace std::chrono_literals;

constexpr const char* kToken = "PUT /latest/api/token";
constexpr const char* kAction = "GET /latest/meta-data/spot/instance-action";
constexpr const char* kRebalance = "GET /latest/meta-data/events/recommendations/rebalance";

std::string line_of(const TestRequest& request) { return request.method + " " + request.path; }

// Waits up to ten seconds of real time until another thread has made the condition true.
bool becomes(const std::function<bool()>& condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) return true;
    poll(nullptr, 0, 1);
  }
  return false;
}

struct Reports {
  std::mutex mutex;
  std::vector<std::string> texts;
  std::vector<std::string> get() {
    const std::lock_guard lock(mutex);
    return texts;
  }
};

ImdsWatchOptions quick(const std::string& endpoint, Reports* reports = nullptr) {
  ImdsWatchOptions options{.endpoint = endpoint, .interval = 2ms, .timeout = 200ms};
  if (reports != nullptr) {
    options.report = [reports](const std::string& text) {
      const std::lock_guard lock(reports->mutex);
      reports->texts.push_back(text);
    };
  }
  return options;
}

// "2026-11-21T09:00:00Z", this many seconds from now.
std::string utc_in(int seconds) {
  const std::time_t at = std::time(nullptr) + seconds;
  std::tm parts{};
  gmtime_r(&at, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

double seconds_left(const Notice& notice) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto at = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  return std::chrono::duration<double>(*notice.deadline - at).count();
}

// The answers of a service that works and has no news.
TestReply nothing_new(const TestRequest& request) {
  if (line_of(request) == kToken) return {200, "secret"};
  if (request.token != "secret") return {401, "<html><title>401 - Unauthorized</title></html>"};
  return {404, "<html><title>404 - Not Found</title></html>"};
}

TEST(ImdsWatch, ANoticeCarriesItsActionAndTheTimeLeft) {
  std::atomic<bool> interrupted = false;
  const std::string body = R"({"action":"terminate","time":")" + utc_in(120) + R"("})";
  MetadataServer server([&](const TestRequest& request) -> TestReply {
    if (line_of(request) == kAction && interrupted) return {200, body};
    return nothing_new(request);
  });
  const ImdsWatch watch(quick(server.endpoint()));
  ASSERT_TRUE(becomes([&] { return server.count(kAction) >= 3; }));
  EXPECT_FALSE(watch.notice());
  interrupted = true;
  ASSERT_TRUE(becomes([&] { return watch.notice().has_value(); }));
  EXPECT_EQ(watch.notice()->reason, "spot/instance-action: terminate");
  EXPECT_NEAR(seconds_left(*watch.notice()), 120, 3);
  EXPECT_EQ(server.count(kToken), 1) << "a token is kept";
}

// Expects that none of these answers counts as a notice, and that the watch then finds the real
// one.
void expect_no_notice_from(const MetadataServer::Handler& trouble, const char* told) {
  std::atomic<bool> over = false;
  std::atomic<int> requests = 0;
  MetadataServer server([&](const TestRequest& request) -> TestReply {
    ++requests;
    if (!over) return trouble(request);
    if (line_of(request) == kAction && request.token == "secret") {
      return {200, R"({"action":"stop","time":"2026-11-21T09:00:00Z"})"};
    }
    return nothing_new(request);
  });
  Reports reports;
  const ImdsWatch watch(quick(server.endpoint(), &reports));
  ASSERT_TRUE(becomes([&] { return requests >= 6; })) << told;
  EXPECT_FALSE(watch.notice()) << told;
  EXPECT_FALSE(watch.rebalance()) << told;
  over = true;
  ASSERT_TRUE(becomes([&] { return watch.notice().has_value(); })) << told;
  EXPECT_EQ(watch.notice()->reason, "spot/instance-action: stop");
  const auto texts = reports.get();
  ASSERT_FALSE(texts.empty()) << told;
  EXPECT_NE(texts.front().find(told), std::string::npos) << texts.front();
  EXPECT_LE(texts.size(), 12u) << "told at changes, not at every look";
}

TEST(ImdsWatch, AnUnauthorizedPageIsNoNotice) {
  expect_no_notice_from(
      [](const TestRequest& request) -> TestReply {
        if (line_of(request) == kToken) return {200, "stale"};
        return {401, R"({"action":"terminate","time":"2026-11-21T09:00:00Z"})"};
      },
      "401");
}

TEST(ImdsWatch, ServerErrorsAreNoNotice) {
  for (const int status : {500, 503}) {
    expect_no_notice_from(
        [status](const TestRequest& request) -> TestReply {
          if (line_of(request) == kToken) return {200, "secret"};
          return {status, R"({"action":"terminate","time":"2026-11-21T09:00:00Z"})"};
        },
        std::to_string(status).c_str());
  }
}

TEST(ImdsWatch, ARefusedTokenIsNoNotice) {
  expect_no_notice_from(
      [](const TestRequest&) -> TestReply {
        return {403, "off"};
      },
      "PUT api/token: 403 'off'");
  expect_no_notice_from(
      [](const TestRequest&) -> TestReply {
        return {200, "a\r\nHost: evil"};
      },
      "expected 200 and a token");
}

TEST(ImdsWatch, ClosedConnectionsAndEndlessBodiesAreNoNotice) {
  expect_no_notice_from([](const TestRequest&) -> TestReply { return {.close = true}; },
                        "api/token");
  expect_no_notice_from(
      [](const TestRequest& request) -> TestReply {
        if (line_of(request) == kToken) return {200, "secret"};
        return {200, std::string(100'000, 'x')};
      },
      "instance-action");
}

TEST(ImdsWatch, APageWith200IsNoNotice) {
  expect_no_notice_from(
      [](const TestRequest& request) -> TestReply {
        if (line_of(request) == kToken) return {200, "secret"};
        return {200, "<html>Log in to the network</html>"};
      },
      "is no notice: <html>");
}

TEST(ImdsWatch, AnActionWithoutItsTimeIsNoNotice) {
  expect_no_notice_from(
      [](const TestRequest& request) -> TestReply {
        if (line_of(request) == kToken) return {200, "secret"};
        return {200, R"({"action":"terminate"})"};
      },
      "is no notice: {");
}

TEST(ImdsWatch, AnExpiredTokenIsRenewed) {
  std::atomic<int> tokens = 0;
  MetadataServer server([&](const TestRequest& request) -> TestReply {
    if (line_of(request) == kToken) return {200, "token-" + std::to_string(++tokens)};
    if (request.token == "token-1") return {401, ""};
    if (line_of(request) == kAction) {
      return {200, R"({"action":"hibernate","time":"2026-11-21T09:00:00Z"})"};
    }
    return {404, ""};
  });
  const ImdsWatch watch(quick(server.endpoint()));
  ASSERT_TRUE(becomes([&] { return watch.notice().has_value(); }));
  EXPECT_EQ(watch.notice()->reason, "spot/instance-action: hibernate");
  EXPECT_EQ(server.seen(), (std::vector<std::string>{kToken, kAction, kToken, kAction}));
}

TEST(ImdsWatch, ARefusedOrUnansweredConnectionIsNoNotice) {
  std::string endpoint;
  {
    endpoint = MetadataServer([](const TestRequest&) { return TestReply{}; }).endpoint();
  }
  Reports refused;
  {
    const ImdsWatch watch(quick(endpoint, &refused));
    ASSERT_TRUE(becomes([&] { return !refused.get().empty(); }));
    EXPECT_FALSE(watch.notice());
  }
  MetadataServer silent([](const TestRequest&) { return TestReply{.hang = true}; });
  Reports timed_out;
  const ImdsWatch watch(quick(silent.endpoint(), &timed_out));
  ASSERT_TRUE(becomes([&] { return !timed_out.get().empty(); }));
  EXPECT_NE(timed_out.get()[0].find("Timeout"), std::string::npos) << timed_out.get()[0];
  EXPECT_FALSE(watch.notice());
}

TEST(ImdsWatch, ARecommendationIsReportedOnceAndStopsNothing) {
  MetadataServer server([&](const TestRequest& request) -> TestReply {
    if (line_of(request) == kRebalance && request.token == "secret") {
      return {200, R"({"noticeTime":"2020-11-05T08:22:00Z"})"};
    }
    return nothing_new(request);
  });
  const ImdsWatch watch(quick(server.endpoint()));
  ASSERT_TRUE(becomes([&] { return watch.rebalance(); }));
  ASSERT_TRUE(becomes([&] { return server.count(kAction) >= 4; }));
  EXPECT_EQ(server.count(kRebalance), 1);
  EXPECT_FALSE(watch.notice());
}

TEST(ImdsWatch, EndsAtOnceWithAnyTimes) {
  MetadataServer silent([](const TestRequest&) { return TestReply{.hang = true}; });
  MetadataServer quiet(nothing_new);
  const auto begin = std::chrono::steady_clock::now();
  {
    const ImdsWatch waits_for_an_answer({.endpoint = silent.endpoint(), .timeout = 60s});
    const ImdsWatch waits_for_the_interval({.endpoint = quiet.endpoint(), .interval = 60s});
    ASSERT_TRUE(becomes([&] { return silent.count(kToken) == 1 && quiet.count(kRebalance) == 1; }));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

// The signals that each thread of this process blocks, by thread.
std::map<std::string, std::string> blocked_signals() {
  std::map<std::string, std::string> masks;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigBlk:")) masks[task.path().filename()] = line.substr(8);
    }
  }
  return masks;
}

TEST(ImdsWatch, LeavesSignalsToTheThreadThatTrains) {
  const auto before = blocked_signals();
  const ImdsWatch watch({.endpoint = "http://127.0.0.1:1", .interval = 60s});
  for (const auto& [thread, mask] : blocked_signals()) {
    if (before.contains(thread)) {
      EXPECT_EQ(mask, before.at(thread));
    } else {
      const auto blocked = std::stoull(mask, nullptr, 16);
      for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) {
        EXPECT_TRUE(blocked >> (signal - 1) & 1) << signal;
      }
    }
  }
}

TEST(ImdsWatch, AnEndpointThatIsNoUrlIsAnError) {
  EXPECT_THROW(ImdsWatch(quick("169.254.169.254")), std::invalid_argument);
  EXPECT_THROW(ImdsWatch(quick("file:///etc/passwd")), std::invalid_argument);
}

}  // namespace
}  // namespace spottrain
