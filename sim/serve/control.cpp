#include "sim/serve/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <charconv>
#include <vector>

#include "api/form.h"
#include "api/refusal.h"
#include "base/time/duration.h"
#include "fakes/http/printable.h"
#include "sim/cloud/error.h"
#include "sim/events/event.h"
#include "sim/faults/take_back.h"
#include "sim/serve/control_faults.h"
#include "sim/serve/control_fields.h"
#include "sim/serve/metadata_address.h"

namespace sim::serve {
namespace {

namespace http = boost::beast::http;
using cloud::Instance;
using cloud::InstanceId;
using cloud::InstanceState;
using Notice = cloud::Cloud::Notice;

constexpr std::size_t kLogChunk = 1 << 20;
// The furthest that one call may move the clock, because a call blocks all other calls.
constexpr Duration kFurthest = std::chrono::hours{24 * 366};

std::string_view path_of(const fakes::Request& request) {
  const std::string_view target = fakes::as_view(request.target());
  return target.substr(0, target.find('?'));
}

Json or_null(const std::optional<Time>& t) { return t ? Json(iso_nanoseconds(*t)) : Json(nullptr); }

// ---- looks

Json clock_now(ServedCloud& served) {
  return {{"now", iso_nanoseconds(served.now())},
          {"next_event", or_null(served.next())},
          {"start", iso_nanoseconds(served.scenario().start)}};
}

Json result_now(ServedCloud& served) {
  return {{"now", iso_nanoseconds(served.now())},
          {"cost_so_far_usd", served.cost_so_far().dollars()},
          {"fingerprint", served.fingerprint()},
          {"result", served.record().result_so_far(served.now())}};
}

Json instances_now(ServedCloud& served) {
  Json list = Json::array();
  for (const cloud::Cloud* cloud : served.clouds())
    for (const auto& [id, instance] : cloud->instances()) list.push_back(instance_row(instance));
  return {{"instances", list}};
}

// ---- actions; each takes its fields and checks all of them before it changes anything

Time target_of(ServedCloud& served, ControlFields& fields) {
  const int ways = fields.has("to") + fields.has("by") + fields.has("next");
  if (ways != 1)
    throw ControlError(400, fmt::format("body: found {} of to, by and next, expected one", ways));
  if (fields.has("next")) {
    if (!*fields.flag("next")) throw ControlError(400, "next: found false, expected true");
    return served.next().value_or(served.now());
  }
  if (fields.has("by")) {
    const std::string text = fields.required_text("by", "a duration such as 90s");
    const auto by = parse_duration(text);
    if (!by || *by < Duration{})
      throw ControlError(400, fmt::format("by: found {}, expected a duration such as 90s", text));
    return served.now() + std::min<Duration>(*by, kFurthest + 1s);
  }
  const std::string text = fields.required_text("to", "an instant such as 2019-11-05T12:00:00Z");
  const auto to = parse_time(text);
  if (!to)
    throw ControlError(
        400, fmt::format("to: found {}, expected an instant such as 2019-11-05T12:00:00Z", text));
  return *to;
}

Json advance(ServedCloud& served, ControlFields& fields) {
  const Time to = target_of(served, fields);
  fields.finish();
  if (to < served.now())
    throw ControlError(409, fmt::format("to: found {}, expected no time before now, {}",
                                        iso_nanoseconds(to), iso_nanoseconds(served.now())));
  if (to - served.now() > kFurthest)
    throw ControlError(400,
                       "to: found more than 366 days ahead, expected at most that in one call");
  served.run_until(to);
  return clock_now(served);
}

const Instance& spot_instance(ServedCloud& served, const std::string& id) {
  const auto& instances = served.cloud_with(InstanceId{id}).instances();
  const auto found = instances.find(InstanceId{id});
  if (found == instances.end())
    throw ControlError(404, "instance: found no instance " + id + ", expected one that there is");
  const Instance& instance = found->second;
  if (instance.lifecycle != cloud::Lifecycle::kSpot)
    throw ControlError(409, "instance: found " + id + ", which is on demand, expected a spot one");
  if (instance.shutting_down_at || is_stopped(instance))
    throw ControlError(409, fmt::format("instance: found {}, which is {}, expected a running one",
                                        id, name(instance.state)));
  return instance;
}

// The instances that were just struck, with the times of their notices and ends.
Json struck_now(ServedCloud& served, const std::vector<InstanceId>& ids) {
  Json names = Json::array(), instances = Json::array();
  for (const InstanceId& id : ids) {
    const Instance& i = served.cloud_with(id).instance(id);
    names.push_back(id.value);
    instances.push_back(
        {{"instance", id.value},
         {"rebalance_at", or_null(i.rebalance_recommended_at)},
         {"notice_at", or_null(i.interruption_notice_at)},
         {"taken_at", or_null(i.shutting_down_at ? i.shutting_down_at : i.interruption_at)}});
  }
  return {{"now", iso_nanoseconds(served.now())}, {"interrupted", names}, {"instances", instances}};
}

Json interrupt(ServedCloud& served, ControlFields& fields) {
  const std::string id = fields.required_text("instance", "an instance's ID");
  const std::string how = fields.required_choice("how", {"notice", "rebalance", "hard"});
  const std::string reason =
      fields.choice("reason", {"no-capacity", "by-price"}).value_or("no-capacity");
  fields.finish();
  const Instance& instance = spot_instance(served, id);
  const bool told = how == "rebalance" ? instance.rebalance_recommended_at.has_value()
                                       : instance.interruption_notice_at.has_value();
  if (told && how != "hard")
    throw ControlError(409,
                       "how: found " + how + ", which " + id + " already has, expected it once");
  if (how == "rebalance") {
    served.cloud_with(instance.id).recommend_rebalance(instance.id);
  } else {
    served.cloud_with(instance.id)
        .interrupt(instance.id, how == "hard" ? Notice::kNone : Notice::kGiven, reason);
  }
  return struck_now(served, {instance.id});
}

market::Pool pool_with_prices(ServedCloud& served, ControlFields& fields) {
  const market::Pool pool = fields.pool("pool");
  const auto pools = served.cloud_with(pool).market().pools();
  if (std::ranges::find(pools, pool) != pools.end()) return pool;
  std::string zones;  // pools of the same type: a typing error is mostly in one half
  for (const market::Pool& other : pools)
    if (other.instance_type == pool.instance_type)
      zones += (zones.empty() ? " (of this type " : ", ") + other.availability_zone;
  throw ControlError(
      404, fmt::format("pool: found {}, expected one of the {} that have prices{}", to_string(pool),
                       pools.size(), zones.empty() ? "" : zones + ")"));
}

// Drains a pool. The newest instances are interrupted first, as when a trace's capacity falls.
Json drain(ServedCloud& served, ControlFields& fields) {
  const market::Pool pool = pool_with_prices(served, fields);
  const int slots = fields.integer("slots", 0, 1'000'000).value_or(0);
  const std::string how = fields.choice("how", {"notice", "hard"}).value_or("notice");
  fields.finish();
  cloud::Cloud& cloud = served.cloud_with(pool);
  cloud.market().set_capacity(pool, slots);
  const auto struck = faults::surplus_spot(cloud, pool);
  for (const InstanceId& id : struck)
    cloud.interrupt(id, how == "hard" ? Notice::kNone : Notice::kGiven, "no-capacity");
  return struck_now(served, struck);
}

Json quotas_now(ServedCloud& served) {
  const market::Quotas& quotas = served.cloud().market().quotas();
  const auto number = [](const std::optional<int>& quota) { return quota ? Json(*quota) : Json(); };
  return {{"spot_vcpus", number(quotas.spot_vcpus)},
          {"spot_requests", number(quotas.spot_requests)},
          {"on_demand_vcpus", number(quotas.on_demand_vcpus)}};
}

// A field that is missing keeps its quota, and "none" removes it.
Json set_quotas(ServedCloud& served, ControlFields& fields) {
  market::Quotas quotas = served.cloud().market().quotas();
  for (const auto& [name, quota] : {std::pair{"spot_vcpus", &quotas.spot_vcpus},
                                    std::pair{"spot_requests", &quotas.spot_requests},
                                    std::pair{"on_demand_vcpus", &quotas.on_demand_vcpus}}) {
    if (!fields.has(name)) continue;
    if (fields.whole().at(name).is_string()) {
      fields.required_choice(name, {"none"});
      quota->reset();
    } else {
      *quota = fields.required_integer(name, 0, 1'000'000);
    }
  }
  fields.finish();
  served.cloud().market().set_quotas(quotas);
  return quotas_now(served);
}

// Without `slots` the capacity is unlimited again.
Json set_on_demand(ServedCloud& served, ControlFields& fields) {
  const market::Pool pool = fields.pool("pool");
  const auto& types = served.cloud().market().types();
  if (!types.contains(pool.instance_type))
    throw ControlError(404, "pool: found " + to_string(pool) + ", expected " +
                                market::expected_instance_type(types, pool.instance_type));
  const std::optional<int> slots = fields.integer("slots", 0, 1'000'000);
  fields.finish();
  served.cloud_with(pool).market().set_on_demand_capacity(
      pool, slots.value_or(market::Market::kUnlimited));
  return {{"pool", to_string(pool)}, {"slots", slots ? Json(*slots) : Json()}};
}

Json set_price(ServedCloud& served, ControlFields& fields) {
  const market::Pool pool = pool_with_prices(served, fields);
  const market::Usd price = fields.price("price");
  fields.finish();
  served.cloud_with(pool).set_price(pool, price);
  return {{"pool", to_string(pool)}, {"price", market::format_usd(price)}};
}

Json reset(ServedCloud&, ControlFields& fields) {
  fields.finish();
  return Json::object();
}

struct LookRow {
  std::string_view path;
  Json (*look)(ServedCloud&);
};
constexpr LookRow kLooks[] = {{"clock", clock_now},
                              {"result", result_now},
                              {"instances", instances_now},
                              {"faults", list_faults},
                              {"quotas", quotas_now}};

struct DeedRow {
  std::string_view path;
  Json (*act)(ServedCloud&, ControlFields&);
};
constexpr DeedRow kDeeds[] = {
    {"clock", advance},     {"interrupt", interrupt},     {"drain", drain},
    {"price", set_price},   {"fault", inject_fault},      {"fault/remove", remove_fault},
    {"quotas", set_quotas}, {"on-demand", set_on_demand}, {"reset", reset}};

// ---- requests

fakes::Response as_json(unsigned status, const Json& body) {
  fakes::Response response;
  response.result(status);
  response.set(http::field::content_type, "application/json");
  response.body() = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

fakes::Response log_chunk(ServedCloud& served, const fakes::Request& request) {
  const std::string_view target = fakes::as_view(request.target());
  api::Parameters form;
  try {
    if (const auto mark = target.find('?'); mark != std::string_view::npos)
      api::parse_form(target.substr(mark + 1), form);
  } catch (const api::Refusal& refusal) {
    throw ControlError(400, refusal.expected);
  }
  std::uint64_t offset = 0;
  for (const auto& [key, text] : form) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
    if (key != "offset")
      throw ControlError(400, key + ": found a parameter, expected no other than offset");
    if (error != std::errc{} || end != text.data() + text.size())
      throw ControlError(400, "offset: found " + text + ", expected a number of bytes");
  }
  fakes::Response response;
  response.set(http::field::content_type, "application/x-ndjson");
  response.body() = served.record().log_from(offset, kLogChunk);
  response.set("X-Spotsim-Next-Offset", std::to_string(offset + response.body().size()));
  return response;
}

fakes::Response look(ServedCloud& served, const fakes::Request& request, std::string_view path) {
  if (path == "log") return log_chunk(served, request);
  const auto row = std::ranges::find(kLooks, path, &LookRow::path);
  if (row == std::end(kLooks))
    throw ControlError(404, fmt::format("path: found {}, expected one of docs/control-api.yaml",
                                        fakes::percent_encode_unprintable(path_of(request))));
  return as_json(200, row->look(served));
}

bool is_of_moto(const fakes::Request& request) {
  return path_of(request).starts_with("/moto-api/");
}

// The action that the path names. Empty if there is none.
std::string_view deed_of(const fakes::Request& request) {
  const std::string_view path = path_of(request);
  if (request.method() != http::verb::post) return {};
  if (path == "/moto-api/reset") return "reset";
  if (!path.starts_with(kControlPrefix)) return {};
  const auto row = std::ranges::find(kDeeds, path.substr(kControlPrefix.size()), &DeedRow::path);
  return row == std::end(kDeeds) ? std::string_view{} : row->path;
}

Json act(ServedCloud& served, const fakes::Request& request, ControlFields& fields) {
  const std::string_view deed = deed_of(request);
  const auto row = std::ranges::find(kDeeds, deed, &DeedRow::path);
  if (deed.empty() || row == std::end(kDeeds))
    throw ControlError(
        404, fmt::format("path: found {} {}, expected a call of "
                         "docs/control-api.yaml",
                         fakes::percent_encode_unprintable(fakes::as_view(request.method_string())),
                         fakes::percent_encode_unprintable(path_of(request))));
  return row->act(served, fields);
}

void tell(ServedCloud& served, const fakes::Request& request, const std::string& result) {
  const std::string_view deed = deed_of(request);
  Json sent = parse_shallow(request.body());
  if (!sent.is_object()) sent = Json::object();
  served.log().append(events::Control{.time = served.now(),
                                      .action = deed.empty() ? "unknown" : deed,
                                      .request = sent,
                                      .result = result});
}

}  // namespace

bool only_looks(const fakes::Request& request) {
  return request.method() == http::verb::get && path_of(request).starts_with(kControlPrefix);
}

Json instance_row(const Instance& instance) {
  return {{"instance", instance.id.value},
          {"state", name(instance.state)},
          {"pool", to_string(faults::pool_of(instance))},
          {"spot", instance.lifecycle == cloud::Lifecycle::kSpot},
          {"launched_at", iso_nanoseconds(instance.launched_at)},
          {"notice_at", or_null(instance.interruption_notice_at)},
          {"metadata", fmt::format("{}imds/{}", kControlPrefix, instance.id.value)},
          {"metadata_address", metadata_address(instance.private_ip)}};
}

ControlAnswer control(ServedCloud& served, const fakes::Request& request) {
  try {
    if (only_looks(request))
      return {look(served, request, path_of(request).substr(kControlPrefix.size()))};
    const bool of_moto = is_of_moto(request);
    ControlFields fields(of_moto ? "" : request.body());
    const Json answer = act(served, request, fields);
    tell(served, request, "ok");
    served.run_until(served.now());
    return {as_json(200, of_moto ? Json{{"status", "ok"}} : answer), deed_of(request) == "reset"};
  } catch (const ControlError& error) {
    if (!only_looks(request)) tell(served, request, error.what());
    return {as_json(error.status(), {{"error", error.what()}})};
  }
}

void complete_reset(const fakes::Request& request, Time now, fakes::Response& response) {
  if (!is_of_moto(request)) response = as_json(200, {{"now", iso_nanoseconds(now)}});
}

}  // namespace sim::serve
