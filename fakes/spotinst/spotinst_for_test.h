// Tests only: the vendor's API without a socket.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fakes/backend_for_test.h"
#include "fakes/spotinst/spotinst.h"

namespace fakes::spotinst {

using Json = nlohmann::ordered_json;

struct TestSpotinst : TestBackend {
  struct Answer {
    int status = 0;
    Json body;
    const Json& item(std::size_t i = 0) const { return body.at("response").at("items").at(i); }
    std::string code() const { return error("code"); }
    std::string field() const { return error("field"); }
    std::string error(const char* member) const {
      return body.at("response").at("errors").at(0).value(member, "");
    }
  };

  static Request request(boost::beast::http::verb method, const std::string& target,
                         const std::string& body, const char* authorization = "Bearer token") {
    Request request{method, target, 11};
    request.set("Host", "api.spotinst.io");
    if (authorization != nullptr) request.set("Authorization", authorization);
    request.body() = body;
    return request;
  }
  Answer ask(const Request& request) const {
    // The handler of all services, which recognizes the host.
    const Response response = api(request).response;
    return {static_cast<int>(response.result_int()), Json::parse(response.body(), nullptr, false)};
  }
  Answer get(const std::string& target) const {
    return ask(request(boost::beast::http::verb::get, target, ""));
  }
  Answer put(const std::string& target, const Json& body = Json::object()) const {
    return ask(request(boost::beast::http::verb::put, target, body.dump()));
  }
  Answer post(const Json& body) const {
    return ask(request(boost::beast::http::verb::post, kGroups, body.dump()));
  }

  static constexpr const char* kGroups = "/aws/ec2/group?accountId=act-12345678";

  static Json body() {
    return Json::parse(R"({"group":{"name":"training","region":"us-west-2",
      "capacity":{"target":1,"minimum":1,"maximum":1,"unit":"instance"},
      "strategy":{"risk":100,"availabilityVsCost":"balanced","fallbackToOd":true,
        "drainingTimeout":120,"persistence":{"shouldPersistBlockDevices":true,
        "blockDevicesMode":"reattach"}},
      "compute":{"product":"Linux/UNIX","instanceTypes":{"ondemand":"p3.2xlarge",
        "spot":["p3.2xlarge"]},"availabilityZones":[{"name":"us-west-2a"},{"name":"us-west-2b"}],
        "launchSpecification":{"imageId":"ami-0123456789abcdef0","keyPair":"key",
        "securityGroupIds":["sg-0a"],"userData":"ZWNobyBoaQ==","iamRole":{"name":"role"},
        "blockDeviceMappings":[{"deviceName":"/dev/sdf","ebs":{"volumeSize":100,
        "volumeType":"gp3","deleteOnTermination":false}}],
        "tags":[{"tagKey":"Creator","tagValue":"me"}]}}}})");
  }
  // A group with one instance that runs.
  std::string group() {
    const std::string id = post(body()).item().at("id");
    run(2min);
    return id;
  }
  static std::string path(const std::string& id, const std::string& below = "") {
    return "/aws/ec2/group/" + id + below;
  }
};

}  // namespace fakes::spotinst
