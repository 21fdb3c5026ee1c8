// Runs the codecs for roundtrip.py. Each line of standard input is a JSON object, and so is each
// line of standard output:
//   {"service", "method", "path", "query", "headers", "body"} is a request. The answer has it as
//       read, and as our client writes it again: {"action", "value", "again": {"method", …}}
//   {"service", "action", "value"} is a response. The answer has it as our server writes it, and
//       as our client reads that: {"status", "headers", "body", "again"}
// Bodies are in base64, values in the plain JSON style. The answer to a failure is {"error"}.
#include <iostream>
#include <nlohmann/json.hpp>

#include "api/error.h"
#include "api/json.h"
#include "api/protocol.h"
#include "api/roundtrip/services.h"
#include "api/value.h"
#include "base/text/base64.h"

namespace {

using nlohmann::json;

json plain(const api::Object& object) {
  std::string text;
  append_json(text, object.shape(), object.get(), api::JsonStyle::kPlain);
  return json::parse(text);
}

json headers_of(const api::Headers& headers) {
  json out = json::object();
  for (const auto& [name, value] : headers) out[name] = value;
  return out;
}

json try_request(const api::Service& service, const json& in) {
  api::HttpRequest http{in.at("method"),
                        in.at("path"),
                        in.at("query"),
                        {},
                        base::base64_decode(in.at("body").get<std::string>()).value()};
  for (const auto& [name, value] : in.at("headers").items()) http.headers.add(name, value);
  const auto parameters = parameters_of(service, http);
  const api::Operation* const operation = route(service, http, parameters);
  if (operation == nullptr) return {{"error", "no such operation"}};
  api::Object object(*operation->input.shape);
  read_request(service, *operation, http, parameters, object.get());
  const auto again = write_request(service, *operation, object.get());
  return {{"action", operation->name},
          {"value", plain(object)},
          {"again",
           {{"method", again.method},
            {"path", again.path},
            {"query", again.query},
            {"headers", headers_of(again.headers)},
            {"body", base::base64_encode(again.body)}}}};
}

json try_response(const api::Service& service, const json& in) {
  const api::Operation& operation = *service.find(in.at("action").get<std::string>());
  api::Object meant(*operation.output.shape), back(*operation.output.shape);
  read_json(in.at("value").dump(), meant.shape(), meant.get(), api::JsonStyle::kPlain);
  const auto http = write_response(service, operation, meant.get(), "r-1");
  read_response(service, operation, http, back.get());
  return {{"status", http.status},
          {"headers", headers_of(http.headers)},
          {"body", base::base64_encode(http.body)},
          {"again", plain(back)}};
}

json answer(const json& in) {
  const api::Service& service = *api::service_for_test(in.at("service").get<std::string>());
  try {
    return in.contains("action") ? try_response(service, in) : try_request(service, in);
  } catch (const api::Refusal& refusal) {
    const auto error = error_of(service, refusal);
    return {{"error", error.code + ": " + error.message}};
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << answer(json::parse(line)) << std::endl;
}
