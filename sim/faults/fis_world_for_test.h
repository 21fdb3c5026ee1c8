// For tests: experiments of AWS FIS in a world with an engine of faults.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "fakes/authorisation/signing_for_test.h"
#include "fakes/fis/experiments.h"
#include "sim/faults/world_for_test.h"

namespace sim::faults {

using nlohmann::json;

inline constexpr const char* kRoles = "arn:aws:iam::123456789012:role/";

struct FisWorld : FaultWorld {
  FisWorld() {
    play({});
    fakes::fis::set_fault_injector(backend,
                                   [this]() -> fakes::fis::FaultInjector& { return *engine; });
  }
  std::pair<int, json> ask(const std::string& method, const std::string& path,
                           const json& body = json::object()) const {
    fakes::Request request =
        post(method == "GET" || method == "DELETE" ? "" : body.dump(),
             "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/fis/aws4_request, "
             "SignedHeaders=host, Signature=00");
    request.method_string(method);
    request.target(path);
    request.set("Content-Type", "application/json");
    if (backend.iam->decides()) {
      using namespace fakes::authorisation;
      request.set("Host", "fis.us-west-2.amazonaws.com");
      request.set("X-Amz-Date", "20191105T100000Z");
      TestIam::sign(request, kAdministrator, "fis", "us-west-2", "20191105T100000Z",
                    sha256_hex(request.body()));
    }
    const auto response = api(request).response;
    return {static_cast<int>(response.result_int()), json::parse(response.body(), nullptr, false)};
  }
  // Makes a template with one action. Returns its ID, or the message of its refusal.
  std::string plan(const std::string& action, const json& parameters, const std::string& key,
                   const json& target) const {
    json selected = {{"selectionMode", "ALL"}};
    selected.update(target);
    const auto [status, made] = ask(
        "POST", "/experimentTemplates",
        {{"clientToken", std::to_string(tokens++)},
         {"description", "d"},
         {"roleArn", std::string(kRoles) + "fis"},
         {"stopConditions", json::array({{{"source", "none"}}})},
         {"targets", {{"them", selected}}},
         {"actions",
          {{"act",
            {{"actionId", action}, {"parameters", parameters}, {"targets", {{key, "them"}}}}}}}});
    return status == 200 ? made["experimentTemplate"]["id"].get<std::string>()
                         : made.value("message", "");
  }
  std::string start(const std::string& action, const json& parameters, const std::string& key,
                    const json& target) {
    const auto [status, made] =
        ask("POST", "/experiments",
            {{"clientToken", std::to_string(tokens++)},
             {"experimentTemplateId", plan(action, parameters, key, target)}});
    EXPECT_EQ(status, 200) << made;
    pass(1s);
    return made["experiment"]["id"];
  }
  json state(const std::string& experiment) const {
    return ask("GET", "/experiments/" + experiment).second["experiment"]["state"];
  }
  json role() {
    sim::iam::Role made;
    made.name = "trainer";
    made.trust_policy =
        R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole",)"
        R"("Principal":{"Service":"ec2.amazonaws.com"}}]})";
    backend.iam->create_role(made);
    return {{"resourceType", "aws:iam:role"}, {"resourceArns", {std::string(kRoles) + "trainer"}}};
  }
  std::string code(const std::string& action) { return ec2(action).code(); }

  mutable int tokens = 0;
};

// The parameters of an action that fails calls.
inline json api_error(const char* operations, const char* percentage = "100") {
  return {{"duration", "PT10M"},
          {"service", "ec2"},
          {"percentage", percentage},
          {"operations", operations}};
}

// If IAM decides: a role with this statement as policy, and the service that may assume the role.
inline void decide_by_role(FisWorld& t, const std::string& trusted, const std::string& statement) {
  t.backend.iam->set_deciding({.policies = true});
  sim::iam::Role role;
  role.name = "fis";
  role.trust_policy =
      R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole",)"
      R"("Principal":{"Service":")" +
      trusted + R"("}}]})";
  t.backend.iam->create_role(role);
  t.backend.iam->put_policy(iam::Owner::kRole, "fis", "p",
                            R"({"Version":"2012-10-17","Statement":[)" + statement + "]}");
}

}  // namespace sim::faults
