// For tests: an account whose IAM decides, and clients that sign their requests.
#pragma once

#include <map>
#include <string>

#include "fakes/authorisation/signature.h"
#include "fakes/backend_for_test.h"

namespace fakes::authorisation {

namespace http = boost::beast::http;

struct Keys {
  std::string id, secret, token = {};
};
inline const Keys kAdministrator{std::string(sim::iam::kOperatorKey),
                                 std::string(sim::iam::kOperatorSecret)};

// A cloud whose IAM decides, and clients that sign.
struct TestIam : TestBackend {
  TestIam() { backend.iam->set_deciding({.policies = true, .clients_time = true}); }

  std::string signing_time() const {
    const std::string text = sim::iso_seconds(simulation.now());
    std::string out;
    for (const char c : text)
      if (c != '-' && c != ':') out += c;
    return out;
  }

  // A signed request: a form, or JSON for `target`.
  Request signed_request(const Keys& keys, const std::string& service, const std::string& body,
                         const std::string& target = "", const std::string& time = "") const {
    Request request = post(body, nullptr);
    const std::string now = time.empty() ? signing_time() : time;
    const bool global = service == "iam" || service == "sts";
    request.set(http::field::host, service + ".us-west-2.amazonaws.com");
    request.set("X-Amz-Date", now);
    if (!keys.token.empty()) request.set("X-Amz-Security-Token", keys.token);
    if (!target.empty()) {
      request.set("Content-Type", "application/x-amz-json-1.1");
      request.set("X-Amz-Target", target);
    }
    sign(request, keys, service, global ? "us-east-1" : "us-west-2", now, sha256_hex(body));
    return request;
  }

  // A signed request of a service whose operations are paths, such as Fault Injection Service.
  Request signed_path(const Keys& keys, const std::string& service, const std::string& method,
                      const std::string& path, const std::string& json) const {
    Request request = post(json, nullptr);
    const std::string now = signing_time();
    request.method_string(method);
    request.target(path);
    request.set("Content-Type", "application/json");
    request.set(http::field::host, service + ".us-west-2.amazonaws.com");
    request.set("X-Amz-Date", now);
    sign(request, keys, service, "us-west-2", now, sha256_hex(json));
    return request;
  }

  static void sign(Request& request, const Keys& keys, const std::string& service,
                   const std::string& region, const std::string& time, const std::string& hash) {
    const std::string target(request.target());
    const auto mark = std::min(target.find('?'), target.size());
    api::HttpRequest canonical{.method = std::string(request.method_string()),
                               .path = target.substr(0, mark),
                               .query = target.substr(std::min(mark + 1, target.size())),
                               .headers = {},
                               .body = {}};
    for (const auto& field : request)
      canonical.headers.add(std::string(field.name_string()), std::string(field.value()));
    Signature signature{.key_id = keys.id,
                        .date = time.substr(0, 8),
                        .region = region,
                        .service = service,
                        .signed_headers = "host;x-amz-date",
                        .time = time};
    signature.text = Signer().sign(canonical, signature, hash, keys.secret);
    request.set("Authorization",
                fmt::format("AWS4-HMAC-SHA256 Credential={}/{}/{}/{}/aws4_request, "
                            "SignedHeaders=host;x-amz-date, Signature={}",
                            keys.id, signature.date, region, service, signature.text));
  }

  Answer call(const Keys& keys, const std::string& service, const std::string& action,
              const Fields& fields = {}, const std::string& time = "") const {
    const std::map<std::string, std::string> versions{{"ec2", "2016-11-15"},
                                                      {"iam", "2010-05-08"},
                                                      {"sts", "2011-06-15"},
                                                      {"cloudformation", "2010-05-15"}};
    std::string body = "Action=" + action + "&Version=" + versions.at(service);
    for (const auto& [name, value] : fields) body += "&" + name + "=" + url_encode(value);
    return send(signed_request(keys, service, body, "", time));
  }
  std::string code(const Keys& keys, const std::string& service, const std::string& action,
                   const Fields& fields = {}, const std::string& time = "") const {
    const Answer answer = call(keys, service, action, fields, time);
    return answer.code().empty() ? answer.at("Error/Code") : answer.code();
  }

  // A user with this inline policy, and its keys.
  Keys user(const std::string& name, const std::string& statements) {
    sim::iam::User user;
    user.name = name;
    backend.iam->create_user(std::move(user));
    if (!statements.empty()) permit(sim::iam::Owner::kUser, name, statements);
    const auto& key = backend.iam->create_access_key(name);
    return {key.id, key.secret};
  }

  // A role that a service may assume, with this inline policy.
  void service_role(const std::string& name, const std::string& service,
                    const std::string& statements) {
    sim::iam::Role role;
    role.name = name;
    role.trust_policy = R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":)"
                        R"({"Service":")" +
                        service + R"("},"Action":"sts:AssumeRole"}]})";
    backend.iam->create_role(std::move(role));
    permit(sim::iam::Owner::kRole, name, statements);
  }
  // Replaces the inline policy.
  void permit(sim::iam::Owner owner, const std::string& name, const std::string& statements) {
    backend.iam->put_policy(owner, name, "p",
                            R"({"Version":"2012-10-17","Statement":[)" + statements + "]}");
  }

  std::string denied() const {
    std::string all;
    for (const sim::Event& event : events)
      if (event.kind == "iam.denied")
        all += event.fields.at("action").get<std::string>() + " " +
               event.fields.at("reason").get<std::string>() + "\n";
    return all;
  }
};

inline std::string allow(const std::string& actions, const std::string& resource = "*") {
  return R"({"Effect":"Allow","Action":)" + actions + R"(,"Resource":")" + resource + R"("})";
}

}  // namespace fakes::authorisation
