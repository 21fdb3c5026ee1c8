// The shared endpoint: finds out which service a request is for and hands it on.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>

#include "api/error.h"
#include "api/protocol.h"
#include "api/value.h"
#include "fakes/front.h"
#include "fakes/http/printable.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// What a request is signed for: ACCESS_KEY/date/REGION/SERVICE/aws4_request. Printable ASCII.
struct Scope {
  std::string region, service;
};

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

Scope parse_scope(std::string_view credential) {
  std::string_view parts[5];
  std::size_t n = 0;
  for (;; ++n) {
    const auto slash = credential.find('/');
    if (n == 5) break;
    parts[n] = credential.substr(0, slash);
    if (slash == std::string_view::npos) break;
    credential.remove_prefix(slash + 1);
  }
  if (n != 4 || parts[4] != "aws4_request" || parts[0].empty() || parts[3].empty()) {
    throw ApiError("IncompleteSignature",
                   "Credential must have exactly 5 slash-delimited elements, e.g. "
                   "keyid/date/region/service/term");
  }
  return {percent_encode_unprintable(parts[2]), percent_encode_unprintable(parts[3])};
}

// "AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…"
std::string_view credential_of(std::string_view authorization) {
  if (!authorization.starts_with(kAlgorithm)) {
    throw ApiError("IncompleteSignature",
                   "Unsupported AWS 'algorithm' in the Authorization header");
  }
  for (const std::string_view part : {"SignedHeaders=", "Signature="}) {
    if (authorization.find(part) == std::string_view::npos) {
      throw ApiError("IncompleteSignature",
                     fmt::format("Authorization header requires '{}' parameter.",
                                 part.substr(0, part.size() - 1)));
    }
  }
  constexpr std::string_view kCredential = "Credential=";
  const auto begin = authorization.find(kCredential);
  if (begin == std::string_view::npos) {
    throw ApiError("IncompleteSignature", "Authorization header requires 'Credential' parameter.");
  }
  authorization.remove_prefix(begin + kCredential.size());
  return authorization.substr(0, std::min(authorization.find(','), authorization.find(' ')));
}

// The scope that a request is signed for. The signature itself is not checked: any key is good, as
// no secret is kept here.
Scope signed_scope(const api::HttpRequest& request) {
  if (const std::string* header = request.headers.find("authorization"))
    return parse_scope(credential_of(*header));
  api::Parameters parameters;
  api::parse_form(request.query, parameters);
  if (api::has_form_body(request)) api::parse_form(request.body, parameters);
  const auto credential = api::find_parameter(parameters, "X-Amz-Credential");
  if (!credential.empty()) return parse_scope(credential);
  throw ApiError("MissingAuthenticationToken",
                 "Request must contain either a valid (registered) AWS access key ID or X.509 "
                 "certificate.",
                 403);
}

// The scope of a request that need not be signed.
Scope any_scope(const api::HttpRequest& request, const std::string& region) {
  try {
    return signed_scope(request);
  } catch (const ApiError&) {
    const std::string* const header = request.headers.find("host");
    const std::string_view host = header != nullptr ? std::string_view(*header) : "";
    const std::string_view label = host.substr(0, host.find_first_of(".:"));
    const bool of_aws = host.find(".amazonaws.com") != std::string_view::npos;
    return {region, is_served(label) || of_aws ? percent_encode_unprintable(label) : "ec2"};
  }
}

api::HttpRequest read_http(const Request& request) {
  const std::string_view target = view(request.target());
  const auto mark = std::min(target.find('?'), target.size());
  api::HttpRequest http{.method = std::string(view(request.method_string())),
                        .path = std::string(target.substr(0, mark)),
                        .query = std::string(target.substr(std::min(mark + 1, target.size()))),
                        .headers = {},
                        .body = request.body()};
  for (const auto& field : request)
    http.headers.add(view(field.name_string()), std::string(view(field.value())));
  return http;
}

Response as_response(api::HttpResponse http) {
  Response response;
  response.result(static_cast<unsigned>(http.status));
  for (const auto& [name, value] : http.headers) response.set(name, value);
  response.body() = std::move(http.body);
  return response;
}

// An error before the service is known: JSON if the request is, else the form that all of
// botocore's XML parsers read.
api::HttpResponse error_of_no_service(const api::HttpRequest& request, const api::Error& error,
                                      const std::string& id) {
  const std::string* const type = request.headers.find("content-type");
  const bool json = type != nullptr && type->starts_with("application/x-amz-json");
  return api::write_error({.name = "",
                           .protocol = json ? api::Protocol::kJson : api::Protocol::kQuery,
                           .version = "",
                           .xmlns = "",
                           .target_prefix = "",
                           .json_version = "1.1",
                           .operations = {}},
                          error, id);
}

void check_version(const api::Service& service, const api::Parameters& parameters) {
  const std::string version(api::find_parameter(parameters, "Version"));
  if (version.empty())
    throw ApiError("MissingParameter", "The request must contain the parameter Version");
  if (version != service.version)
    throw ApiError("NoSuchVersion", fmt::format("The requested version ({}) of service {} does not "
                                                "exist",
                                                version, service.name));
}

// One request on its way; what is known of it so far is what the log shows.
struct Conversation {
  api::HttpRequest http;
  std::string id;
  Scope scope;
  const Service* service = nullptr;
  api::Parameters parameters;
  std::string action, result = "ok";
  sim::Duration delay{};
};

class Endpoint {
 public:
  Endpoint(Backend& backend, std::string caller, Access access)
      : backend_(backend),
        caller_(std::move(caller)),
        access_(access),
        ids_(backend.streams.stream("request-id", caller_)) {}

  Reply handle(const Request& request) {
    Conversation it{
        .http = read_http(request), .id = request_id(), .delay = backend_.latencies.api};
    api::HttpResponse response = answer(it);
    log_call(backend_, {it.scope.service, it.action, caller_, it.result},
             [&] { return std::move(it.parameters); });
    return {as_response(std::move(response)), it.delay};
  }

 private:
  api::HttpResponse answer(Conversation& it) {
    api::Error error;
    try {
      return do_request(it);
    } catch (const ApiError& refused) {
      error = {refused.code(), refused.what(), refused.http_status()};
    } catch (const api::Refusal& refused) {
      error = it.service != nullptr ? api::error_of(it.service->model, refused)
                                    : api::Error{"MalformedQueryString", refused.expected};
    }
    it.result = error.code;
    return it.service != nullptr ? api::write_error(it.service->model, error, it.id)
                                 : error_of_no_service(it.http, error, it.id);
  }

  api::HttpResponse do_request(Conversation& it) {
    it.action = target_of(it.http);
    const std::string& region = backend_.cloud.config().region;
    const bool anyone = access_ == Access::kAnyone;
    it.scope = anyone ? any_scope(it.http, region) : signed_scope(it.http);
    it.service = &find_service(it.scope.service);
    const api::Service& model = it.service->model;
    it.parameters = api::parameters_of(model, it.http);
    if (const auto action = api::find_parameter(it.parameters, "Action"); !action.empty())
      it.action = action;
    if (!anyone) check_region(it.scope.region, backend_);
    const api::Operation& operation = operation_of(it);
    api::Object request(*operation.input.shape);
    api::read_request(model, operation, it.http, it.parameters, request.get());
    Passage passage(backend_, it.action, caller_);
    it.delay = passage.delay();
    passage.before_effect();
    api::WrittenList written;
    const auto response = perform(backend_, *it.service, operation, request.get(),
                                  model.protocol == api::Protocol::kEc2 ? &written : nullptr);
    passage.after_effect();
    return api::write_response(model, operation, response.get(), it.id, written);
  }

  static const api::Operation& operation_of(const Conversation& it) {
    if (it.action.empty())
      throw ApiError("MissingAction", "No action was supplied with this request.");
    const api::Operation* const operation = api::route(it.service->model, it.http, it.parameters);
    if (operation == nullptr)
      throw ApiError("InvalidAction",
                     "The action " + it.action + " is not valid for this web service.");
    check_version(it.service->model, it.parameters);
    return *operation;
  }

  // The JSON protocols' name of the action.
  static std::string target_of(const api::HttpRequest& request) {
    const std::string* const target = request.headers.find("x-amz-target");
    return target != nullptr ? percent_encode_unprintable(*target) : "";
  }

  std::string request_id() {
    const auto a = ids_.next(), b = ids_.next();
    return fmt::format(FMT_COMPILE("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}"), a >> 32,
                       a >> 16 & 0xffff, a & 0xfff, b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
  }

  Backend& backend_;
  std::string caller_;
  Access access_;
  sim::Stream ids_;
};

}  // namespace

std::string region_of(const Request& request) {
  try {
    return signed_scope(read_http(request)).region;
  } catch (const ApiError&) {
    return "";
  } catch (const api::Refusal&) {
    return "";
  }
}

Handler aws(Backend& backend, std::string caller, Access access) {
  const auto endpoint = std::make_shared<Endpoint>(backend, std::move(caller), access);
  return [endpoint](const Request& request) { return endpoint->handle(request); };
}

}  // namespace fakes
