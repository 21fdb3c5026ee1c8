#include "fakes/http/server.h"

#include <gtest/gtest.h>

#include "fakes/http/loopback_server_for_test.h"
#include "sim/kernel/random.h"

namespace fakes {
namespace {

using namespace std::chrono_literals;

const sim::Time kServerStart = sim::parse_time("2019-11-05T10:00:00Z").value();

// A blocking client socket for reads of what has arrived after settle().
class Client {
 public:
  explicit Client(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { hang_up(); }
  void hang_up() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }
  void send(const std::string& bytes) { ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  std::string receive() {
    std::string text;
    char buffer[65536];
    for (;;) {
      const auto n = recv(fd_, buffer, sizeof buffer, MSG_DONTWAIT);
      if (n == 0) closed = true;
      if (n <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(n));
    }
  }
  bool closed = false;

 private:
  int fd_;
};

// Answers with the request's method, target and body length, after a second of virtual time.
struct Echo : ::testing::Test {
  Echo() : loopback(simulation) {
    port = loopback.listen([this](const Request& request) {
      ++handled;
      Response response;
      response.body() = std::string(request.method_string()) + " " + std::string(request.target()) +
                        " " + std::to_string(request.body().size()) + "\n";
      return Reply{response, 1s};
    });
  }
  sim::Simulation simulation{kServerStart};
  Loopback loopback;
  int port = 0;
  int handled = 0;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_F(Echo, AnAnswerTakesItsVirtualTime) {
  Client client(port);
  client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  loopback.settle(0s);
  EXPECT_EQ(handled, 1) << "the effect is there at once";
  EXPECT_EQ(client.receive(), "");
  loopback.settle();
  EXPECT_EQ(simulation.now(), kServerStart + 1s);
  EXPECT_EQ(client.receive(), "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nGET /a 0\n");
  EXPECT_FALSE(client.closed);
}

TEST_F(Echo, PipelinedRequestsAreAnsweredInOrder) {
  Client client(port);
  client.send(
      "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /3 "
      "HTTP/1.1\r\n\r\n");
  loopback.settle();
  const auto text = client.receive();
  EXPECT_LT(text.find("GET /1 0"), text.find("POST /2 3"));
  EXPECT_LT(text.find("POST /2 3"), text.find("GET /3 0"));
  EXPECT_EQ(simulation.now(), kServerStart + 3s) << "one after the other";
}

TEST_F(Echo, ARequestMayComeInPieces) {
  Client client(port);
  for (const char c : std::string("POST /p HTTP/1.1\r\nContent-Length: 2\r\n\r\nab")) {
    client.send(std::string(1, c));
    loopback.settle(0s);
  }
  loopback.settle();
  EXPECT_EQ(count(client.receive(), "POST /p 2"), 1U);
}

TEST_F(Echo, ConnectionsCloseWhenTheClientAsks) {
  Client old(port), closing(port);
  old.send("GET / HTTP/1.0\r\n\r\n");
  closing.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  loopback.settle();
  EXPECT_EQ(count(old.receive(), "HTTP/1.0 200 OK"), 1U);
  EXPECT_EQ(count(closing.receive(), "Connection: close"), 1U);
  EXPECT_TRUE(old.closed);
  EXPECT_TRUE(closing.closed);
}

TEST_F(Echo, AnExpectingClientGets100Continue) {
  Client client(port);
  client.send("POST /big HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  loopback.settle(0s);
  EXPECT_EQ(client.receive(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(handled, 0);
  client.send("12345");
  loopback.settle();
  EXPECT_EQ(count(client.receive(), "POST /big 5"), 1U);
}

TEST_F(Echo, AnExpectingClientWithAnEmptyBodyGets100Continue) {
  Client client(port);
  client.send("PUT /empty HTTP/1.1\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n");
  loopback.settle();
  const auto text = client.receive();
  EXPECT_TRUE(text.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")) << text;
}

TEST_F(Echo, AHeadRequestGetsNoBody) {
  Client client(port);
  client.send("HEAD /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
  loopback.settle();
  const auto text = client.receive();
  EXPECT_EQ(count(text, "HEAD /a"), 0U);
  EXPECT_EQ(count(text, "GET /b 0"), 1U);
}

TEST_F(Echo, WhatIsTooLargeIsRefused) {
  Client header(port), body(port), honest(port);
  header.send("GET / HTTP/1.1\r\nX: " + std::string(20000, 'x') + "\r\n\r\n");
  body.send("POST / HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n");
  honest.send("POST / HTTP/1.1\r\nContent-Length: 1048576\r\n\r\n");
  loopback.settle(0s);
  for (int i = 0; i < 64; ++i) {
    honest.send(std::string(16384, 'x'));
    loopback.settle(0s);
  }
  loopback.settle();
  EXPECT_EQ(count(header.receive(), "HTTP/1.1 431 "), 1U);
  EXPECT_EQ(count(body.receive(), "HTTP/1.1 413 "), 1U);
  EXPECT_EQ(count(honest.receive(), "POST / 1048576"), 1U);
  EXPECT_TRUE(header.closed);
}

TEST_F(Echo, MalformedRequestsGet400AndAreClosed) {
  for (const char* bad :
       {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n"}) {
    Client client(port);
    client.send(bad);
    loopback.settle();
    EXPECT_EQ(count(client.receive(), "HTTP/1.1 400 "), 1U) << bad;
    EXPECT_TRUE(client.closed) << bad;
  }
  EXPECT_EQ(handled, 0);
}

TEST_F(Echo, AClientThatLeavesDropsItsAnswer) {
  {
    Client client(port);
    client.send("GET / HTTP/1.1\r\n\r\n");
    loopback.settle(0s);
  }
  loopback.settle();
  EXPECT_EQ(handled, 1);
}

TEST_F(Echo, ClosingDropsPendingAnswersAndTheListeningSocket) {
  Client client(port);
  client.send("GET / HTTP/1.1\r\n\r\n");
  loopback.settle(0s);
  loopback.server.close(loopback.token);
  loopback.settle();
  EXPECT_EQ(client.receive(), "");
  EXPECT_TRUE(client.closed);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_NE(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(fd);
}

TEST(Server, AHandlerMayCloseItsOwnServerSocket) {
  sim::Simulation simulation{kServerStart};
  Loopback loopback(simulation);
  const int port = loopback.listen([&](const Request&) {
    loopback.server.close(loopback.token);
    return Reply{};
  });
  Client client(port);
  client.send("GET / HTTP/1.1\r\n\r\n");
  loopback.settle();
  client.receive();
  EXPECT_TRUE(client.closed);
}

TEST(Server, AServerThatGoesLeavesNoEventWithTeeth) {
  sim::Simulation simulation{kServerStart};
  auto loopback = std::make_unique<Loopback>(simulation);
  Client client(loopback->listen([](const Request&) { return Reply{{}, 1s}; }));
  client.send("GET / HTTP/1.1\r\n\r\n");
  loopback->settle(0s);
  EXPECT_EQ(simulation.pending(), 1U);
  loopback.reset();
  simulation.run_until(kServerStart + 5s);
}

// Any bytes on a connection end in answers or a closed connection, and the next client is served.
TEST_F(Echo, MutatedRequestsDoNoHarm) {
  const std::string seed =
      "POST /latest/api/token?x=1 HTTP/1.1\r\nHost: 169.254.169.254\r\nTransfer-Encoding: "
      "chunked\r\n"
      "Expect: 100-continue\r\nX-aws-ec2-metadata-token-ttl-seconds: "
      "60\r\n\r\n4\r\nabcd\r\n0\r\n\r\n";
  sim::Stream random = sim::Streams(2).stream("fuzz");
  for (int round = 0; round < 2000; ++round) {
    std::string text = seed;
    for (std::uint64_t i = 0; i <= random.below(5); ++i) {
      const auto at = random.below(text.size());
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, random.below(20));
          break;
        default:
          text.insert(at, seed, random.below(seed.size()), random.below(30));
      }
      if (text.empty()) text = "\r\n";
    }
    Client client(port);
    client.send(text);
    loopback.settle();
  }
  Client client(port);
  client.send("GET /last HTTP/1.1\r\n\r\n");
  loopback.settle();
  EXPECT_EQ(count(client.receive(), "GET /last 0"), 1U);
}

TEST_F(Echo, ClientsThatTakeLongAreDropped) {
  const Patience patience{.head = 75s, .body = 20s, .answer = 20s};
  loopback.server.drop_slow(1000s, patience);
  Client idle(port), slow_head(port), slow_body(port), waiting(port);
  slow_head.send("GET / HTTP/1.1\r\nHost: a");
  slow_body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc");
  waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  loopback.settle(0s);
  const auto gone = [&](Client& client) {
    loopback.settle(0s);
    client.receive();
    return client.closed;
  };
  loopback.server.drop_slow(1020s, patience);
  EXPECT_FALSE(gone(slow_body));
  loopback.server.drop_slow(1021s, patience);
  EXPECT_TRUE(gone(slow_body));
  EXPECT_FALSE(gone(slow_head));
  loopback.server.drop_slow(1076s, patience);
  EXPECT_TRUE(gone(slow_head));
  EXPECT_TRUE(gone(idle));
  // The client waits for an answer that is due later in virtual time, and no virtual time passed.
  // So the client is not slow.
  EXPECT_FALSE(gone(waiting));
  loopback.settle();
  EXPECT_NE(waiting.receive().find("GET / 0"), std::string::npos);
}

TEST_F(Echo, AClientThatDoesNotReadItsAnswerIsDropped) {
  const Patience patience{.head = 75s, .body = 20s, .answer = 20s};
  const int large = loopback.listen([](const Request&) {
    Response response;
    response.body() = std::string(32 << 20, 'x');
    return Reply{response, {}};
  });
  loopback.server.drop_slow(1000s, patience);
  Client client(large);
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  loopback.settle();
  EXPECT_EQ(loopback.server.connections(), 1u);
  loopback.server.drop_slow(1021s, patience);
  EXPECT_EQ(loopback.server.connections(), 0u);
}

TEST_F(Echo, FinishesWhatWasAskedAndTakesNoMore) {
  Client idle(port), asked(port);
  asked.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  loopback.settle(0s);
  EXPECT_EQ(loopback.server.connections(), 2u);
  loopback.server.finish();
  idle.receive();
  EXPECT_TRUE(idle.closed);
  EXPECT_EQ(loopback.server.connections(), 1u);
  loopback.settle();
  EXPECT_NE(asked.receive().find("GET /a 0"), std::string::npos);
  asked.hang_up();
  loopback.settle();
  EXPECT_EQ(loopback.server.connections(), 0u);
}

TEST(AServerWithoutASimulation, AnswersWhenItsOwnerPermits) {
  std::vector<std::function<void()>> ready;
  Server server([&](sim::Duration, std::function<void()> write) { ready.push_back(write); });
  int port = 0;
  server.listen(Loopback::listening_socket(port), [](const Request&) { return Reply{{}, 1h}; });
  Client client(port);
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  while (ready.empty()) server.wait(1s);
  EXPECT_EQ(client.receive(), "");
  ready.front()();
  std::string answer;
  while (answer.empty()) {
    server.wait(1ms);
    answer = client.receive();
  }
  EXPECT_EQ(answer.substr(0, 15), "HTTP/1.1 200 OK");
}

// A server whose answer to each request is a feed of numbers.
struct Fed : ::testing::Test {
  Fed() : loopback(simulation) {
    port = loopback.listen([this](const Request&) {
      Response response;
      response.set("Content-Type", "text/event-stream");
      return Reply{.response = response, .feed = [this] { return std::exchange(part, ""); }};
    });
  }
  sim::Simulation simulation{kServerStart};
  Loopback loopback;
  int port = 0;
  std::string part;
};

TEST_F(Fed, AFeedSendsEachPartWhenItIsThere) {
  Client client(port);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  loopback.settle();
  EXPECT_EQ(client.receive(),
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
  loopback.server.feed();
  loopback.settle();
  EXPECT_EQ(client.receive(), "") << "there was nothing to send";
  for (const char* text : {"data: 1\n\n", "data: 2\n\n"}) {
    part = text;
    loopback.server.feed();
    loopback.settle();
    EXPECT_EQ(client.receive(), text);
  }
  EXPECT_FALSE(client.closed);
}

TEST_F(Fed, AFeedEndsWithItsClientAndWithTheServer) {
  Client left(port), stays(port);
  for (Client* client : {&left, &stays}) client->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  loopback.settle();
  left.hang_up();
  for (int i = 0; i < 3; ++i) {
    part = "data: 1\n\n";
    loopback.server.feed();
    part = "data: 1\n\n";
    loopback.server.feed();
    loopback.settle();
  }
  EXPECT_EQ(loopback.server.connections(), 1u) << "the client that left is gone";
  loopback.server.finish();
  loopback.settle();
  stays.receive();
  EXPECT_TRUE(stays.closed);
  EXPECT_EQ(loopback.server.connections(), 0u);
}

TEST_F(Fed, AClientThatDoesNotReadGetsLaterPartsWhenItDoes) {
  Client client(port);
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  loopback.settle();
  part = std::string(8 << 20, 'x');
  loopback.server.feed();
  loopback.settle();
  part = "later";
  loopback.server.feed();
  EXPECT_EQ(part, "later") << "a part waits until the one before is written";
  std::string got;
  while (got.size() < (8u << 20)) {
    got += client.receive();
    loopback.settle();
  }
  loopback.server.feed();
  loopback.settle();
  EXPECT_TRUE(client.receive().ends_with("later"));
}

}  // namespace
}  // namespace fakes
