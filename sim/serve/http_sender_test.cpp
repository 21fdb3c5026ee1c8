#include "sim/serve/http_sender.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "fakes/http/loopback_server_for_test.h"

namespace {

std::atomic<int> refused_transfers = 0;  // of the next ones

}  // namespace

// Replaces libcurl's function for this program, which fails only without memory.
extern "C" CURLMcode curl_multi_add_handle(CURLM* multi, CURL* handle) {
  if (refused_transfers > 0) {
    --refused_transfers;
    return CURLM_OUT_OF_MEMORY;
  }
  static const auto real =
      reinterpret_cast<CURLMcode (*)(CURLM*, CURL*)>(dlsym(RTLD_NEXT, "curl_multi_add_handle"));
  return real(multi, handle);
}

namespace sim::serve {
namespace {

// Accepts connections one after the other, answers each with 200, and remembers the bodies, which
// have one character.
class Endpoint {
 public:
  explicit Endpoint(int requests)
      : socket_(fakes::Loopback::listening_socket(port_)), thread_([this, requests] {
          for (int i = 0; i < requests; ++i) answer();
        }) {}
  ~Endpoint() {
    shutdown(socket_.get(), SHUT_RDWR);  // nobody waits for a connection any more
    thread_.join();
  }
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
  std::string bodies;

 private:
  void answer() {
    const base::FileDescriptor client(accept(socket_.get(), nullptr, nullptr));
    std::string got;
    char buffer[1024];
    while (got.find("\r\n\r\n") == got.npos || got.ends_with("\r\n\r\n")) {
      const auto size = recv(client.get(), buffer, sizeof buffer, 0);
      if (size <= 0) return;
      got.append(buffer, static_cast<std::size_t>(size));
    }
    bodies += got.back();
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    send(client.get(), ok.data(), ok.size(), MSG_NOSIGNAL);
  }

  int port_ = 0;
  base::FileDescriptor socket_;
  std::thread thread_;
};

// Takes answers until `done()`, for ten seconds at most.
template <class Done>
bool take_answers_until(HttpSender& sender, Done done) {
  constexpr int kMostMs = 10'000;
  while (!done()) {
    pollfd ready{sender.descriptor(), POLLIN, 0};
    if (poll(&ready, 1, kMostMs) <= 0) return false;
    sender.take_answers();
  }
  return true;
}

TEST(HttpSender, ASlowEndpointDelaysNoOther) {
  int port = 0;
  const base::FileDescriptor silent(fakes::Loopback::listening_socket(port));
  Endpoint quick(1);
  HttpSender sender({});
  int slow = -1, fast = -1;
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/";
  for (int i = 0; i < 3; ++i)
    sender.post({.url = url, .headers = {}, .body = "a"}, [&](int status) { slow = status; });
  sender.post({.url = quick.url(), .headers = {}, .body = "b"}, [&](int status) { fast = status; });
  EXPECT_TRUE(take_answers_until(sender, [&] { return fast >= 0; }));
  EXPECT_EQ(fast, 200);
  EXPECT_EQ(slow, -1) << "it has no answer yet";
}

TEST(HttpSender, AnEndpointGetsItsRequestsInTheirOrder) {
  Endpoint endpoint(9);
  HttpSender sender({});
  std::string answered;
  for (char c = '1'; c <= '9'; ++c)
    sender.post({.url = endpoint.url(), .headers = {}, .body = std::string(1, c)},
                [&, c](int status) { answered += status == 200 ? c : '!'; });
  EXPECT_TRUE(take_answers_until(sender, [&] { return answered.size() == 9; }));
  EXPECT_EQ(answered, "123456789");
  EXPECT_EQ(endpoint.bodies, "123456789");
}

TEST(HttpSender, AnEndpointOfThisTestEndsWithoutARequest) { const Endpoint unused(1); }

// A request that cannot begin is answered, and the next one to its endpoint is sent.
TEST(HttpSender, ARequestThatCannotBeginEndsWithoutAStatus) {
  Endpoint endpoint(1);
  std::vector<int> answers;
  HttpSender sender({});
  refused_transfers = 1;
  for (int i = 0; i < 2; ++i)
    sender.post({.url = endpoint.url(), .headers = {}, .body = "a"},
                [&](int status) { answers.push_back(status); });
  EXPECT_TRUE(take_answers_until(sender, [&] { return answers.size() == 2; }));
  EXPECT_EQ(answers, (std::vector{0, 200}));
}

}  // namespace
}  // namespace sim::serve
