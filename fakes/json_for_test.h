// Tests only: the services of AWS's JSON protocol without a socket.
#pragma once

#include <nlohmann/json.hpp>

#include "fakes/backend_for_test.h"

namespace fakes {

struct TestJson : TestBackend {
  using TestBackend::TestBackend;

  struct JsonAnswer {
    int status = 0;
    nlohmann::json body;
    std::string error() const {
      return body.value("__type", "") + ": " + body.value("message", "");
    }
  };
  // `service` is the name in the signature, `target` is like "Logs_20140328.GetLogEvents".
  static Request request(const std::string& service, const std::string& target,
                         const std::string& body) {
    const std::string signature = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/" +
                                  service + "/aws4_request, SignedHeaders=host, Signature=00";
    Request request = post(body, signature.c_str());
    request.set("Content-Type", "application/x-amz-json-1.1");
    request.set("X-Amz-Target", target);
    return request;
  }
  JsonAnswer ask(const Request& request) const {
    const Response response = api(request).response;
    return {static_cast<int>(response.result_int()),
            nlohmann::json::parse(response.body(), nullptr, false)};
  }
  JsonAnswer logs(const std::string& action, const nlohmann::json& body) const {
    return ask(request("logs", "Logs_20140328." + action, body.dump()));
  }
};

}  // namespace fakes
