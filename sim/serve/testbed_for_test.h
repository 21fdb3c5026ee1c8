// For tests: a scenario of one region with constant prices, and short functions that send requests
// to its testbed without a socket.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/events/event.h"
#include "sim/serve/testbed.h"
#include "sim/serve/web_guard.h"

namespace sim::serve {

namespace fs = std::filesystem;

constexpr RealTime kReal = 1'000s;
const Time kBegin = parse_time("2019-11-05T10:00:00Z").value();

inline scenario::Scenario served_scenario() {
  return scenario::read_scenario(fs::path(SPOTSIM_SOURCE_DIR) / "scenarios" /
                                 "no-interruption.yaml");
}

struct Tested {
  explicit Tested(const char* speed, Profile profile = Profile::kScenario, fs::path state = {},
                  std::uint64_t seed = 7)
      : scenario(served_scenario()),
        options{.served = {.seed = seed, .profile = profile},
                .speed = parse_speed(speed).value(),
                .state = std::move(state)} {
    options.served.listen = [this](events::Listeners& log, const auto&, const auto&) {
      log.on_all([this](const events::AnyEvent& event, std::string_view) {
        events.push_back(to_event(event));
      });
    };
    start();
  }
  void start() { testbed = std::make_unique<Testbed>(scenario, options, real); }

  // Sends the header of the control API.
  fakes::Response ask(const std::string& method, const std::string& target,
                      const std::string& body = "",
                      std::map<std::string, std::string> headers = {}) {
    headers.emplace(kControlHeader, "1");
    return send(method, target, body, headers);
  }
  fakes::Response send(const std::string& method, const std::string& target,
                       const std::string& body, const std::map<std::string, std::string>& headers) {
    fakes::Request request;
    request.method_string(method);
    request.target(target);
    request.version(11);
    for (const auto& [name, value] : headers) request.set(name, value);
    request.body() = body;
    return testbed->answer(request, real).response;
  }
  std::string ec2(const std::string& call) {
    return ask("POST", "/", "Version=2016-11-15&Action=" + call,
               {{"Content-Type", "application/x-www-form-urlencoded"},
                {"Authorization",
                 "AWS4-HMAC-SHA256 Credential=A/20191105/us-west-2/ec2/aws4_request, "
                 "SignedHeaders=host, Signature=0"}})
        .body();
  }
  // Returns the instance's ID.
  std::string launch(bool spot = false) {
    const std::string text =
        ec2(std::string("RunInstances&ImageId=ami-0123456789abcdef0&MinCount=1&MaxCount=1"
                        "&InstanceType=p3.2xlarge&Placement.AvailabilityZone=us-west-2b") +
            (spot ? "&InstanceMarketOptions.MarketType=spot" : ""));
    return between(text, "<instanceId>", "</instanceId>");
  }
  std::string state_of(const std::string& instance) {
    return std::string(name(testbed->served().cloud().instance({instance}).state));
  }
  std::string log() { return testbed->served().record().log_from(0, 1 << 30); }
  Json post(const std::string& path, const Json& body, unsigned status = 200) {
    const auto response = ask("POST", "/_spotsim/" + path, body.dump());
    EXPECT_EQ(response.result_int(), status) << response.body();
    return Json::parse(response.body());
  }
  std::string refused(const std::string& path, const std::string& body, unsigned status = 400) {
    const auto response = ask("POST", "/_spotsim/" + path, body);
    EXPECT_EQ(response.result_int(), status) << response.body();
    return Json::parse(response.body())["error"].get<std::string>();
  }

  static std::string between(const std::string& text, const std::string& from,
                             const std::string& to) {
    const auto begin = text.find(from), end = text.find(to);
    EXPECT_LT(begin, end) << text;
    return begin < end ? text.substr(begin + from.size(), end - begin - from.size()) : "";
  }

  scenario::Scenario scenario;
  TestbedOptions options;
  RealTime real = kReal;
  std::vector<Event> events;
  std::unique_ptr<Testbed> testbed;
};

}  // namespace sim::serve
