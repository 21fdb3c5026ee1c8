// A client of FIS without a socket, and an injector that records faults.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fakes/backend_for_test.h"
#include "fakes/fis/fault_injector.h"
#include "sim/cloud/error.h"

namespace fakes {

using nlohmann::json;

// Records the faults that actions inject. Their effects are tested in sim/faults.
class Recorder : public fis::FaultInjector {
 public:
  explicit Recorder(Backend& backend) {
    fis::set_fault_injector(backend, [this]() -> fis::FaultInjector& { return *this; });
  }
  std::int64_t inject(fis::InjectedFault fault) override {
    if (refuses) throw sim::cloud::ApiError("ValidationException", "It refuses.");
    faults.push_back(std::move(fault));
    return std::ssize(faults);
  }
  void end(std::int64_t) override {}

  std::vector<fis::InjectedFault> faults;
  bool refuses = false;
};

// A running spot instance.
inline std::string spot_of(TestBackend& t) {
  const auto id = t.ec2("RunInstances", {{"ImageId", "ami-0123456789abcdef0"},
                                         {"InstanceType", "p3.2xlarge"},
                                         {"MinCount", "1"},
                                         {"MaxCount", "1"},
                                         {"Placement.AvailabilityZone", "us-west-2b"},
                                         {"InstanceMarketOptions.MarketType", "spot"}})
                      .at("instancesSet/item/instanceId");
  t.run(2min);
  return id;
}

struct TestFis : TestBackend {
  struct FisAnswer {
    int status;
    json body;
  };
  FisAnswer ask(const std::string& method, const std::string& path,
                const json& body = json::object()) const {
    Request request = post(body.dump(),
                           "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/fis/"
                           "aws4_request, SignedHeaders=host, Signature=00");
    request.method_string(method);
    request.target(path);
    request.set("Content-Type", "application/json");
    if (method == "GET" || method == "DELETE") request.body().clear();
    const Response response = api(request).response;
    return {static_cast<int>(response.result_int()), json::parse(response.body(), nullptr, false)};
  }
  static json plan(const std::string& action, const json& parameters, const std::string& type,
                   const std::string& key, const json& target) {
    json meant = {{"resourceType", type}, {"selectionMode", "ALL"}};
    meant.update(target);
    json acts = {{"actionId", action}, {"targets", {{key, "them"}}}};
    if (!parameters.empty()) acts["parameters"] = parameters;
    return {{"clientToken", action + target.dump()},
            {"description", "d"},
            {"roleArn", "arn:aws:iam::123456789012:role/fis"},
            {"stopConditions", json::array({{{"source", "none"}}})},
            {"targets", {{"them", meant}}},
            {"actions", {{"act", acts}}}};
  }
  // Starts an experiment of a new template and returns its ID.
  std::string start(const json& planned) const {
    const auto made = ask("POST", "/experimentTemplates", planned);
    EXPECT_EQ(made.status, 200) << made.body;
    const std::string id = made.body["experimentTemplate"]["id"];
    const auto started =
        ask("POST", "/experiments", {{"clientToken", id}, {"experimentTemplateId", id}});
    EXPECT_EQ(started.status, 200) << started.body;
    return started.body["experiment"]["id"];
  }
  std::string status(const std::string& id) const {
    return ask("GET", "/experiments/" + id).body["experiment"]["state"]["status"];
  }
  std::string spot() { return spot_of(*this); }

  Recorder recorder{backend};
};

inline json by_arn(const std::string& id) {
  return {{"resourceArns", {"arn:aws:ec2:us-west-2:123456789012:instance/" + id}}};
}

}  // namespace fakes
