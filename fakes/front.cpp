#include "fakes/front.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "api/rest_route.h"
#include "fakes/regions.h"
#include "fakes/s3/wire.h"
#include "fakes/spotinst/spotinst.h"
#include "sim/events/event.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

// One line each.
const Service* const kServices[] = {
    &ec2_service(),        &s3_service(),
    &sts_service(),        &logs_service(),
    &ecr_service(),        &sagemaker_service(),
    &ssm_service(),        &autoscaling_service(),
    &iam_service(),        &cloudformation_service(),
    &sqs_service(),        &sqs_json_service(),
    &sns_service(),        &events_service(),
    &fis_service(),        &pricing_service(),
    &cloudwatch_service(), &cloudwatch_json_service(),
};

std::string_view signed_name(const Service& service) {
  return service.signed_as.empty() ? service.model.name : service.signed_as;
}

bool is_at(const Service& service, std::string_view host) {
  const std::string_view own = service.host.empty() ? signed_name(service) : service.host;
  return host.starts_with(own) &&
         (host.size() == own.size() || host[own.size()] == '.' || host[own.size()] == ':');
}

// Parameters that are long or may have secrets: the log has their length only.
struct HiddenRow {
  std::string_view action, parameter;  // action "*": of any action, also as part of a structure
};
constexpr HiddenRow kHidden[] = {{"*", "UserData"},
                                 {"AssumeRoleWithWebIdentity", "WebIdentityToken"},
                                 {"CreateLoginProfile", "Password"},
                                 {"PutParameter", "Value"},
                                 {"UpdateLoginProfile", "Password"}};

bool is_hidden(std::string_view action, std::string_view parameter) {
  return std::ranges::any_of(kHidden, [&](const HiddenRow& row) {
    return row.action == "*" ? parameter.ends_with(row.parameter)
                             : row.action == action && row.parameter == parameter;
  });
}

// The part of a request in the log, independent of the client's order of parameters. It omits
// client tokens.
sim::Json loggable(std::string_view action, api::Parameters parameters) {
  std::ranges::sort(parameters);
  sim::Json request = sim::Json::object();
  for (const auto& [name, value] : parameters) {
    if (name == "Action" || name == "Version" || name.ends_with("ClientToken")) continue;
    if (name == "AWSAccessKeyId" || name == "Signature") continue;  // of a presigned URL
    request[name] = is_hidden(action, name) ? fmt::format("({} characters)", value.size()) : value;
  }
  return request;
}

}  // namespace

std::string_view service_addressed(std::string_view target, std::string_view host) {
  const std::string_view prefix = target.substr(0, target.find('.'));
  for (const Service* service : kServices)
    if (!prefix.empty() && prefix == service->model.target_prefix) return signed_name(*service);
  for (const Service* service : kServices)
    if (is_at(*service, host)) return signed_name(*service);
  return {};
}

std::string_view rest_json_service_addressed(const api::HttpRequest& request,
                                             const Backend& backend) {
  const bool is_signed = request.headers.find("authorization") != nullptr ||
                         request.query.find("X-Amz-Credential=") != std::string::npos ||
                         request.query.find("AWSAccessKeyId=") != std::string::npos;
  if (is_signed || request.path.size() < 2) return {};
  const std::string* const host = request.headers.find("host");
  const std::string_view named = host != nullptr ? service_addressed("", *host) : "";
  const std::string bucket = request.path.substr(1, request.path.find('/', 1) - 1);
  if (named.empty() &&
      (!s3::bucket_in_host(request).empty() || backend.objects.buckets().contains(bucket)))
    return {};
  for (const Service* service : kServices) {
    if (service->model.protocol != api::Protocol::kRestJson) continue;
    if (named == signed_name(*service)) return named;
    if (named.empty() && api::route_rest(service->model, request, {}) != nullptr)
      return signed_name(*service);
  }
  return {};
}

std::span<const Service* const> served_services() { return kServices; }

std::set<std::string> served_actions() {
  std::set<std::string> names;
  for (const Service* service : kServices)
    for (const ActionRow& row : service->actions) names.emplace(row.operation->name);
  for (const std::string_view action : spotinst::actions()) names.emplace(action);
  return names;
}

bool is_served(std::string_view service) {
  return std::ranges::any_of(kServices,
                             [&](const Service* one) { return signed_name(*one) == service; });
}

bool is_global(std::string_view service) {
  return std::ranges::any_of(kServices, [&](const Service* one) {
    return (one->global || !one->regions.empty()) && signed_name(*one) == service;
  });
}

const Service& find_service(std::string_view name, std::string_view target) {
  for (const Service* service : kServices)
    if (!target.empty() && signed_name(*service) == name &&
        service->model.protocol == api::Protocol::kJson)
      return *service;
  for (const Service* service : kServices)
    if (signed_name(*service) == name) return *service;
  throw ApiError("NotImplemented",
                 fmt::format("The service '{}' is not part of this simulated AWS.", name), 501);
}

void check_region(std::string_view signed_for, const Backend& backend, const Service& service) {
  const std::string& region = backend.cloud.config().region;
  if (signed_for == region) return;
  if (&service == &s3_service() && std::ranges::count(region_names(backend), signed_for) > 0)
    return;
  if (&service == &s3_service())
    throw ApiError("AuthorizationHeaderMalformed",
                   fmt::format("The authorization header is malformed; the region '{}' is wrong; "
                               "expecting '{}'",
                               signed_for, region));
  if (service.model.protocol == api::Protocol::kJson)
    throw ApiError(
        "InvalidSignatureException",
        fmt::format("Credential should be scoped to a valid region, not '{}'.", signed_for));
  throw ApiError("AuthFailure",
                 fmt::format("AWS was not able to validate the provided access credentials: "
                             "Credential should be scoped to region '{}', not '{}'.",
                             region, signed_for),
                 401);
}

sim::Duration latency_of(const Service& service, const Backend& backend) {
  return service.latency != nullptr ? service.latency(backend) : backend.latencies.api;
}

namespace {

// Whether a service with one endpoint for all regions, or S3, has this action.
bool is_of_all_regions(std::string_view action) {
  static const std::set<std::string_view> kActions = [] {
    std::set<std::string_view> actions;
    for (const Service* service : kServices)
      if (is_global(signed_name(*service)) || service == &s3_service())
        for (const ActionRow& row : service->actions) actions.insert(row.operation->name);
    return actions;
  }();
  return kActions.contains(action);
}

// The interference of the region of the calling instance, if another region answers.
Interference* of_other_region(Backend& answers, std::string_view caller) {
  if (!has_further_regions(answers)) return nullptr;
  const sim::cloud::InstanceId instance{std::string(caller)};
  Backend& callers = region_with(answers, instance);
  if (&callers == &answers || !callers.cloud.instances().contains(instance)) return nullptr;
  return callers.interference;
}

// The trouble on the way to a region that answers: a call to another region's service crosses the
// internet, and a global service is a part of the caller's region, too.
Interference::Trouble trouble_on_way(Backend& answers, const Interference::Call& call) {
  Interference* const there = of_other_region(answers, call.caller);
  if (there == nullptr) return {};
  if (is_of_all_regions(call.action)) {
    Interference::Trouble trouble = there->before(call);
    trouble.past = nullptr;  // another cloud's
    return trouble;
  }
  if (there->obstacle({std::string(call.caller)}, {}).empty()) return {};
  return {.error = api::Error{"NoAnswer", "The request did not arrive.", 503},
          .effect = false,
          .delay = kNoAnswer};
}

}  // namespace

InterferedCall::InterferedCall(Backend& backend, const Interference::Call& call)
    : backend_(backend), call_(call), trouble_(trouble_on_way(backend, call_)) {
  if (!trouble_.error && backend_.interference) {
    const sim::Duration delay = trouble_.delay;
    trouble_ = backend_.interference->before(call_);
    trouble_.delay += delay;
  }
}

InterferedCall::~InterferedCall() { backend_.cloud.show(nullptr); }

void InterferedCall::before_effect() {
  if (trouble_.error && !trouble_.effect)
    throw ApiError(trouble_.error->code, trouble_.error->message, trouble_.error->status);
  backend_.cloud.show(trouble_.past.get());
}

void InterferedCall::after_effect() {
  backend_.cloud.show(nullptr);
  if (trouble_.error)
    throw ApiError(trouble_.error->code, trouble_.error->message, trouble_.error->status);
  if (backend_.interference) backend_.interference->after(call_);
  Interference* const there = of_other_region(backend_, call_.caller);
  if (there != nullptr && is_of_all_regions(call_.action)) there->after(call_);
}

sim::Duration InterferedCall::delay(sim::Duration latency) const {
  return latency + trouble_.delay;
}

void log_call(Backend& backend, const LoggedCall& call,
              const std::function<api::Parameters()>& parameters) {
  std::optional<sim::Json> made;  // built once, because the caller may give its parameters away
  const std::function<const sim::Json&()> request = [&]() -> const sim::Json& {
    if (!made) made = loggable(call.action, parameters());
    return *made;
  };
  backend.log.append(sim::events::ApiCall{.time = backend.simulation.now(),
                                          .service = call.service,
                                          .action = call.action,
                                          .caller = call.caller,
                                          .result = call.result,
                                          .request = request});
}

}  // namespace fakes
