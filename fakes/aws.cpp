// The shared endpoint: finds out which service a request is for and hands it on.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "fakes/service.h"
#include "sim/kernel/event.h"

namespace fakes {
namespace {

namespace http = boost::beast::http;
using sim::cloud::ApiError;

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

struct ServiceRow {
  std::string_view name;  // as in the credential scope
  Service (*make)(Backend&);
  Response (*error)(const ApiError&, const std::string& request_id);
};
constexpr ServiceRow kServices[] = {
    {"ec2", ec2_query, ec2_error},
};

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
Scope signed_scope(const Request& request, Form& form) {
  std::string credential;
  if (const auto header = request.find(http::field::authorization); header != request.end()) {
    credential = credential_of(view(header->value()));
  } else if (const auto query = form.find("X-Amz-Credential"); query != form.end()) {
    credential = query->second;
  } else {
    throw ApiError("MissingAuthenticationToken",
                   "Request must contain either a valid (registered) AWS access key ID or X.509 "
                   "certificate.",
                   403);
  }
  const auto below = [&](std::string_view name) { return form.lower_bound(name); };
  form.erase(below("X-Amz-"), below("X-Amz."));
  return parse_scope(credential);
}

// The scope of a request that need not be signed.
Scope any_scope(const Request& request, Form& form, const std::string& region) {
  try {
    return signed_scope(request, form);
  } catch (const ApiError&) {
    const std::string_view host = view(request[http::field::host]);
    const std::string_view label = host.substr(0, host.find_first_of(".:"));
    const bool known = std::ranges::any_of(kServices, [&](auto& row) { return row.name == label; });
    const bool of_aws = host.find(".amazonaws.com") != std::string_view::npos;
    return {region, known || of_aws ? percent_encode_unprintable(label) : "ec2"};
  }
}

void check_region(const Scope& scope, const std::string& region) {
  if (scope.region == region) return;
  throw ApiError("AuthFailure",
                 fmt::format("AWS was not able to validate the provided access credentials: "
                             "Credential should be scoped to region '{}', not '{}'.",
                             region, scope.region),
                 401);
}

Form read_form(const Request& request) {
  Form form;
  const std::string_view target = view(request.target());
  if (const auto mark = target.find('?'); mark != std::string_view::npos) {
    parse_form(target.substr(mark + 1), form);
  }
  const auto type = view(request[http::field::content_type]);
  if (type.starts_with("application/x-www-form-urlencoded")) parse_form(request.body(), form);
  return form;
}

// An error in the shape of the service's protocol. When the service is not known: JSON if the
// request is, else the form that all of botocore's XML parsers read.
Response error_response(const Request& request, const std::string& service, const ApiError& error,
                        const std::string& id) {
  for (const auto& row : kServices) {
    if (row.name == service) return row.error(error, id);
  }
  Response response;
  response.result(static_cast<unsigned>(error.http_status()));
  response.set("x-amzn-RequestId", id);
  if (view(request[http::field::content_type]).starts_with("application/x-amz-json")) {
    response.set(http::field::content_type, "application/x-amz-json-1.1");
    response.body() = sim::Json{{"__type", error.code()}, {"message", error.what()}}.dump();
    return response;
  }
  response.set(http::field::content_type, "text/xml");
  pugi::xml_document document;
  auto root = document.append_child("ErrorResponse");
  auto item = root.append_child("Error");
  item.append_child("Type").text().set("Sender");
  item.append_child("Code").text().set(error.code().c_str());
  item.append_child("Message").text().set(error.what());
  root.append_child("RequestId").text().set(id.c_str());
  std::ostringstream text;
  document.save(text, "", pugi::format_raw);
  response.body() = text.str();
  return response;
}

// What the log shows of a request. User data can hold secrets and is long; a client token is noise.
sim::Json loggable(const Form& form) {
  sim::Json request = sim::Json::object();
  for (const auto& [name, value] : form) {
    if (name == "Action" || name == "Version" || name.ends_with("ClientToken")) continue;
    request[name] =
        name.ends_with("UserData") ? fmt::format("({} characters)", value.size()) : value;
  }
  return request;
}

class Endpoint {
 public:
  Endpoint(Backend& backend, std::string caller, Access access)
      : backend_(backend),
        caller_(std::move(caller)),
        access_(access),
        ids_(backend.streams.stream("request-id", caller_)) {
    for (const auto& row : kServices) services_.emplace(row.name, row.make(backend));
  }

  Reply handle(const Request& request) {
    const std::string id = request_id();
    ServiceAnswer answer;
    Form form;
    Scope scope;
    try {
      form = read_form(request);
      const std::string& region = backend_.cloud.config().region;
      const bool anyone = access_ == Access::kAnyone;
      scope = anyone ? any_scope(request, form, region) : signed_scope(request, form);
      if (!anyone) check_region(scope, region);
      answer = find(scope.service)({request, form, id});
    } catch (const ApiError& error) {
      answer = {error_response(request, scope.service, error, id), action(request, form),
                error.code()};
    }
    backend_.log.append(backend_.simulation.now(), "api.call", [&] {
      return sim::Json{{"service", scope.service},
                       {"action", answer.action},
                       {"caller", caller_},
                       {"result", answer.result},
                       {"request", loggable(form)}};
    });
    return {std::move(answer.response), backend_.latencies.api};
  }

 private:
  Service& find(const std::string& name) {
    const auto found = services_.find(name);
    if (found == services_.end()) {
      throw ApiError("NotImplemented",
                     "The service '" + name + "' is not part of this simulated AWS.", 501);
    }
    return found->second;
  }

  // The Query protocol's Action, or the JSON protocols' X-Amz-Target.
  static std::string action(const Request& request, const Form& form) {
    const auto found = form.find("Action");
    if (found != form.end()) return found->second;
    return percent_encode_unprintable(view(request["X-Amz-Target"]));
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
  std::map<std::string, Service, std::less<>> services_;
};

}  // namespace

Handler aws(Backend& backend, std::string caller, Access access) {
  const auto endpoint = std::make_shared<Endpoint>(backend, std::move(caller), access);
  return [endpoint](const Request& request) { return endpoint->handle(request); };
}

}  // namespace fakes
