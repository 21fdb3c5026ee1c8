// The routes of the API, and the envelopes of its answers.
#include "fakes/spotinst/spotinst.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "api/percent.h"
#include "api/refusal.h"
#include "api/rest_route.h"
#include "fakes/ec2/launch.h"
#include "fakes/front.h"
#include "fakes/http/printable.h"
#include "fakes/spotinst/documents.h"

namespace fakes::spotinst {
namespace {

namespace http = boost::beast::http;
using sim::cloud::ApiError;
using sim::elastigroup::Group;

constexpr const char* kGroupKind = "spotinst:aws:ec2:group";

struct Route;

// A request that has been routed.
struct Call {
  Backend& backend;
  const Route& route;
  api::PathLabels labels;
  api::Parameters query;
  const std::string& body;

  std::string label(std::string_view name) const {
    for (const auto& [label, text] : labels)
      if (label == name) return percent_encode_unprintable(text);
    return {};
  }
  sim::elastigroup::Elastigroups& service() const { return backend.elastigroups; }
  const Group& group() const { return service().group(label("groupId")); }
};

// The content of an answer's "response" beside the status. Without `kind` it has neither items nor
// count.
struct Answer {
  const char* kind = nullptr;
  Json items = Json::array();
};

struct Route {
  http::verb method;
  const char* path;
  const char* action;
  Answer (*handle)(const Call& call);
  std::vector<std::string_view> query = {};  // permitted parameters beside accountId
};

[[noreturn]] void refuse_parameter(std::string_view name, std::string_view found,
                                   std::string_view expected) {
  ApiError error("ValidationError", fmt::format("{}: found {}, expected {}", name,
                                                found.empty() ? "nothing" : found, expected));
  throw error.with("field", std::string(name));
}

std::string parameter(const Call& call, std::string_view name) {
  return std::string(api::find_parameter(call.query, name));
}

std::int64_t whole_parameter(const Call& call, std::string_view name, std::string_view expected,
                             std::optional<std::int64_t> otherwise = {}) {
  const std::string text = parameter(call, name);
  if (text.empty() && otherwise) return *otherwise;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    refuse_parameter(name, text, expected);
  return value;
}

// ---- groups

Json group_in(const Call& call) {
  Json body = parse_body(call.body);
  if (!body.contains("group") || !body["group"].is_object() || body.size() != 1)
    refuse_parameter("group", "a body with other members", "a body {\"group\": {…}} and no more");
  return std::move(body["group"]);
}

sim::elastigroup::GroupSpec read(const Call& call, const Json& document) {
  auto spec = read_group(document, call.backend.cloud);
  ec2::fill_in_defaults(spec.launch);
  return spec;
}

Answer create(const Call& call) {
  const Group& group = call.service().create(read(call, group_in(call)));
  return {kGroupKind, Json::array({show(group)})};
}

Answer list(const Call& call) {
  Answer answer{kGroupKind};
  for (const Group* group : call.service().groups()) answer.items.push_back(show(*group));
  return answer;
}

Answer get(const Call& call) { return {kGroupKind, Json::array({show(call.group())})}; }

// Members that the request does not have remain; null removes a member (RFC 7396).
Answer update(const Call& call) {
  Json document = call.group().spec.document;
  document.merge_patch(group_in(call));
  const Group& group =
      call.service().update(call.label("groupId"), read_group(document, call.backend.cloud));
  return {kGroupKind, Json::array({show(group)})};
}

Answer update_capacity(const Call& call) {
  const Json document = read_capacity(parse_body(call.body), call.group().spec.document);
  const Group& group =
      call.service().update(call.label("groupId"), read_group(document, call.backend.cloud));
  return {"spotinst:aws:ec2:group:capacity", Json::array({show_capacity(group)})};
}

Answer remove(const Call& call) {
  call.group();
  const Json body = call.body.empty() ? Json::object() : parse_body(call.body);
  call.service().remove(call.label("groupId"), read_deallocation(body));
  return {};
}

Answer status(const Call& call) { return {kGroupKind, show_status(call.group(), call.backend)}; }

Answer events(const Call& call) {
  const std::string from = parameter(call, "startDate");
  const auto since = sim::parse_time(from);
  if (!since) refuse_parameter("startDate", from, "a date such as 2016-10-01");
  return {kGroupKind, show_events(call.group(), *since)};
}

// Newest first, as in the description's example.
Answer logs(const Call& call) {
  constexpr std::int64_t kUsual = 500, kMost = 1000;
  constexpr const char* kEpoch = "milliseconds since 1970";
  const Group& group = call.group();
  const std::int64_t from = whole_parameter(call, "fromDate", kEpoch),
                     to = whole_parameter(call, "toDate", kEpoch);
  const auto most = whole_parameter(call, "limit", "a number up to 1000", kUsual);
  if (most > kMost) refuse_parameter("limit", parameter(call, "limit"), "a number up to 1000");
  const std::string severity = parameter(call, "severity"),
                    resource = parameter(call, "resourceId");
  Answer answer{"spotinst:aws:ec2:group:log"};
  for (auto line = group.log.rbegin(); line != group.log.rend(); ++line) {
    const std::int64_t at =
        std::chrono::duration_cast<std::chrono::milliseconds>(line->at.time_since_epoch()).count();
    const bool shown = at >= from && at <= to && (resource.empty() || line->resource == resource) &&
                       (severity.empty() || severity == "ALL" || line->severity == severity);
    if (!shown || static_cast<std::int64_t>(answer.items.size()) >= most) continue;
    answer.items.push_back({{"message", line->message},
                            {"severity", line->severity},
                            {"createdAt", sim::iso_milliseconds(line->at)}});
  }
  return answer;
}

// ---- stateful instances

Answer list_stateful(const Call& call) {
  const Group& group = call.group();
  Answer answer{"spotinst:aws:ec2:statefulInstance"};
  if (group.spec.persistence.any())
    for (const auto* member : group.members) answer.items.push_back(show(*member, group));
  return answer;
}

template <auto Action>
Answer act(const Call& call) {
  (call.service().*Action)(call.label("groupId"), call.label("statefulInstanceId"));
  return {};
}

using Service = sim::elastigroup::Elastigroups;

#define GROUP "/aws/ec2/group/{groupId}"
#define STATEFUL GROUP "/statefulInstance"
const Route kRoutes[] = {
    {http::verb::post, "/aws/ec2/group", "elastigroupAwsCreate", create},
    {http::verb::get, "/aws/ec2/group", "elastigroupAwsListAllGroups", list},
    {http::verb::get, GROUP, "elastigroupAwsListElastigroup", get},
    {http::verb::put, GROUP, "elastigroupAwsUpdate", update},
    {http::verb::delete_, GROUP, "elastigroupAwsDelete", remove},
    {http::verb::put, GROUP "/capacity", "elastigroupAwsUpdateCapacity", update_capacity},
    {http::verb::get, GROUP "/status", "elastigroupAwsStatus", status},
    {http::verb::get, GROUP "/events", "elastigroupAwsActivityEvents", events, {"startDate"}},
    {http::verb::get,
     GROUP "/logs",
     "elastigroupAwsGetLogs",
     logs,
     {"fromDate", "toDate", "severity", "resourceId", "limit"}},
    {http::verb::get, STATEFUL, "elastigroupAwsListStatefulInstances", list_stateful},
    {http::verb::put, STATEFUL "/{statefulInstanceId}/pause", "elastigroupAwsPauseStatefulInstance",
     act<&Service::pause>},
    {http::verb::put, STATEFUL "/{statefulInstanceId}/resume",
     "elastigroupAwsResumeStatefulInstance", act<&Service::resume>},
    {http::verb::put, STATEFUL "/{statefulInstanceId}/recycle",
     "elastigroupAwsRecycleStatefulInstance", act<&Service::recycle>},
    {http::verb::put, STATEFUL "/{statefulInstanceId}/deallocate",
     "elastigroupAwsDeAllocateStatefulInstance", act<&Service::deallocate>},
};
#undef STATEFUL
#undef GROUP

void check_token(const Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view header = as_view(request[http::field::authorization]);
  if (!header.starts_with(kBearer) || header.find_first_not_of(' ', kBearer.size()) == header.npos)
    throw ApiError("UNAUTHORIZED", "Authorization: expected a token: 'Bearer TOKEN'", 401);
}

void check_query(const Call& call) {
  for (const auto& [name, value] : call.query) {
    if (name == "accountId") {
      constexpr std::string_view kPrefix = "act-";
      if (!value.starts_with(kPrefix) || value.size() == kPrefix.size())
        refuse_parameter(name, value, "an account's ID such as act-12345678");
    } else if (std::ranges::find(call.route.query, name) == call.route.query.end()) {
      refuse_parameter(name, "an unknown parameter", "accountId, or one of the API reference");
    }
  }
}

class Endpoint {
 public:
  Endpoint(Backend& backend, std::string caller)
      : backend_(backend),
        caller_(std::move(caller)),
        ids_(backend.streams.stream("spotinst-request-id", caller_)) {}

  Reply handle(const Request& request) {
    const std::string_view target = as_view(request.target());
    const auto mark = std::min(target.find('?'), target.size());
    const std::string path(target.substr(0, mark));
    Json answer{{"request",
                 {{"id", request_id()},
                  {"url", percent_encode_unprintable(target)},
                  {"method", percent_encode_unprintable(as_view(request.method_string()))},
                  {"timestamp", sim::iso_milliseconds(backend_.simulation.now())}}}};
    Logged logged;
    int status = 200;
    try {
      check_token(request);
      answer["response"] =
          perform(request, path, target.substr(std::min(mark + 1, target.size())), logged);
    } catch (const ApiError& error) {
      logged.result = error.code();
      status = error.http_status();
      answer["response"] = show_error(error);
    } catch (const api::Refusal& refusal) {
      logged.result = "ValidationError";
      status = 400;
      answer["response"] = show_error(ApiError("ValidationError", "query: " + refusal.expected));
    }
    answer["response"]["status"] = {{"code", status}, {"message", reason(status)}};
    log_call(backend_, {"spotinst", logged.action, caller_, logged.result},
             [&] { return logged.parameters; });
    return {as_response(answer, status), logged.delay, {}};
  }

 private:
  struct Logged {
    std::string action, result = "ok";
    api::Parameters parameters;
    sim::Duration delay{};
  };

  static std::string reason(int status) {
    const auto text = http::obsolete_reason(static_cast<http::status>(status));
    return {text.data(), text.size()};
  }

  static Json show_error(const ApiError& error) {
    Json shown{{"code", error.code()}, {"message", error.what()}};
    for (const auto& [name, text] : error.details()) shown[name] = text;
    return {{"errors", Json::array({std::move(shown)})}};
  }

  static Response as_response(const Json& answer, int status) {
    Response response;
    response.result(static_cast<unsigned>(status));
    response.set(http::field::content_type, "application/json; charset=utf-8");
    response.set("x-request-id", answer["request"]["id"].get<std::string>());
    response.body() = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
    return response;
  }

  Json perform(const Request& request, const std::string& path, std::string_view query,
               Logged& logged) {
    logged.delay = backend_.latencies.api;
    for (const Route& route : kRoutes) {
      auto labels = api::match_path(route.path, path);
      if (!labels || request.method() != route.method) continue;
      Call call{backend_, route, std::move(*labels), {}, request.body()};
      logged.action = route.action;
      api::parse_form(query, call.query);
      for (const auto& [label, text] : call.labels)
        logged.parameters.push_back({std::string(label), call.label(label)});
      for (const auto& parameter : call.query) logged.parameters.push_back(parameter);
      check_query(call);
      InterferedCall interfered(backend_, {.action = route.action, .caller = caller_});
      logged.delay = interfered.delay(logged.delay);
      interfered.before_effect();
      Answer answer = route.handle(call);
      interfered.after_effect();
      if (answer.kind == nullptr) return Json::object();
      const std::size_t count = answer.items.size();
      return {{"kind", answer.kind}, {"items", std::move(answer.items)}, {"count", count}};
    }
    logged.action = percent_encode_unprintable(as_view(request.method_string())) + " " +
                    percent_encode_unprintable(path);
    throw ApiError("NOT_FOUND", "This simulated API has no " + logged.action + ".", 404);
  }

  std::string request_id() {
    const auto a = ids_.next(), b = ids_.next();
    return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff,
                       a & 0xfff, b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
  }

  Backend& backend_;
  std::string caller_;
  sim::Stream ids_;
};

}  // namespace

bool is_host(std::string_view host) { return host.substr(0, host.find(':')) == kHost; }

Handler handler(Backend& backend, std::string caller) {
  const auto endpoint = std::make_shared<Endpoint>(backend, std::move(caller));
  return [endpoint](const Request& request) { return endpoint->handle(request); };
}

std::vector<std::string_view> actions() {
  std::vector<std::string_view> names;
  for (const Route& route : kRoutes) names.push_back(route.action);
  return names;
}

}  // namespace fakes::spotinst
