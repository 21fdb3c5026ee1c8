#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json/json_text.h"
#include "sim/cli/commands.h"
#include "sim/cli/serve/ctl_client.h"
#include "sim/cli/serve/ctl_text.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"
#include "sim/scenario/yaml_fields.h"

namespace sim::cli {
namespace {

constexpr int kDone = 0, kRefused = 1, kNoService = 2;

struct CtlCommand {
  CtlService service;
  std::optional<std::string> to, by, reason;
  bool next = false, hard = false, json = false;
  std::string instance, how = "notice", pool, price, deed;
  std::vector<std::string> arguments;  // of `fault`
  std::optional<int> on_demand_slots;
  std::optional<std::string> spot_vcpus, spot_requests, on_demand_vcpus;
  int slots = 0;
};

std::string usual(const char* variable, const char* otherwise) {
  const char* const text = std::getenv(variable);
  return text && *text ? text : otherwise;
}

int refused(const CtlAnswer& answer) {
  const Json body = Json::parse(answer.body, nullptr, false);
  const std::string error = base::text_of(body, "error");
  say(Style::kError,
      fmt::format("spotsim: {}",
                  error.empty() ? fmt::format("found HTTP status {}, expected 200 of a `spotsim "
                                              "serve` (--url)",
                                              answer.status)
                                : error));
  return kRefused;
}

using AnswerText = std::string (*)(const Json&);

int print_answer(const CtlCommand& command, const std::string& call, AnswerText text,
                 const Json& body = {}) {
  const CtlAnswer answer =
      ask(command.service, "/_spotsim/" + call, body.is_null() ? "" : body.dump());
  if (answer.status != 200) return refused(answer);
  try {
    const Json json = Json::parse(answer.body);
    fmt::print("{}", command.json ? json.dump(2) + "\n" : text(json));
  } catch (const Json::exception&) {
    return refused({0, ""});
  }
  return kDone;
}

int clock(const CtlCommand& c) {
  if (c.to) return print_answer(c, "clock", clock_text, {{"to", *c.to}});
  if (c.by) return print_answer(c, "clock", clock_text, {{"by", *c.by}});
  if (c.next) return print_answer(c, "clock", clock_text, {{"next", true}});
  return print_answer(c, "clock", clock_text);
}

int interrupt(const CtlCommand& c) {
  Json body{{"instance", c.instance}, {"how", c.how}};
  if (c.reason) body["reason"] = *c.reason;
  return print_answer(c, "interrupt", struck_text, body);
}

int drain(const CtlCommand& c) {
  return print_answer(c, "drain", struck_text,
                      {{"pool", c.pool}, {"slots", c.slots}, {"how", c.hard ? "hard" : "notice"}});
}

int price(const CtlCommand& c) {
  return print_answer(c, "price", price_text, {{"pool", c.pool}, {"price", c.price}});
}

// Scalars become text, which the control API reads like the values of a scenario.
Json json_of(const YAML::Node& node, int depth = 0) {
  constexpr int kDeepest = 8;  // aliases may be endless
  if (depth > kDeepest || node.IsNull()) return {};
  if (node.IsScalar()) return node.Scalar();
  Json json = node.IsMap() ? Json::object() : Json::array();
  if (node.IsMap())
    for (const auto& entry : node) json[entry.first.Scalar()] = json_of(entry.second, depth + 1);
  else
    for (const auto& entry : node) json.push_back(json_of(entry, depth + 1));
  return json;
}

// Null if the text is not YAML.
Json json_of_yaml(const std::string& text) {
  scenario::Errors errors("fault");
  Json json;
  scenario::read_yaml(text, errors,
                      [&](const scenario::Value& root) { json = json_of(root.node()); });
  return errors.empty() ? json : Json();
}

int wrong_arguments(const std::string& found, const std::string& expected) {
  say(Style::kError, fmt::format("spotsim: fault: found {}, expected {}", found, expected));
  return kRefused;
}

int add_fault(const CtlCommand& c) {
  const std::string expected =
      "a kind with NAME=VALUE, such as `add api-throttled for=2m`, or an entry of a scenario's "
      "faults, such as `add '{kind: api-throttled, for: 2m}'`";
  if (c.arguments.empty()) return wrong_arguments("nothing after add", expected);
  Json body{{"kind", c.arguments.front()}};
  if (c.arguments.front().starts_with('{')) {
    body = json_of_yaml(c.arguments.front());
    if (!body.is_object()) return wrong_arguments(c.arguments.front(), expected);
  }
  for (const std::string& parameter : std::span(c.arguments).subspan(1)) {
    const auto equals = parameter.find('=', 1);
    if (equals == parameter.npos) return wrong_arguments(parameter, "NAME=VALUE such as for=2m");
    body[parameter.substr(0, equals)] = parameter.substr(equals + 1);
  }
  return print_answer(c, "fault", fault_text, body);
}

int remove_fault(const CtlCommand& c) {
  if (c.arguments.size() != 1)
    return wrong_arguments(fmt::format("{} IDs", c.arguments.size()),
                           "a fault's ID (`spotsim ctl fault list`), or all");
  const std::string& text = c.arguments.front();
  int id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_id = error == std::errc{} && end == text.data() + text.size();
  return print_answer(c, "fault/remove", removed_text, {{"id", is_id ? Json(id) : Json(text)}});
}

int fault(const CtlCommand& c) {
  if (c.deed == "add") return add_fault(c);
  if (c.deed == "remove") return remove_fault(c);
  if (c.deed == "list" && c.arguments.empty()) return print_answer(c, "faults", faults_text);
  if (c.deed == "list") return wrong_arguments(c.arguments.front(), "nothing after list");
  return wrong_arguments(c.deed, "add, list or remove, such as `add api-throttled for=2m`");
}

int on_demand(const CtlCommand& c) {
  Json body{{"pool", c.pool}};
  if (c.on_demand_slots) body["slots"] = *c.on_demand_slots;
  return print_answer(c, "on-demand", on_demand_text, body);
}

// A number, or "none".
Json quota_json(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? Json(number) : Json(text);
}

int quotas(const CtlCommand& c) {
  Json body;
  if (c.spot_vcpus) body["spot_vcpus"] = quota_json(*c.spot_vcpus);
  if (c.spot_requests) body["spot_requests"] = quota_json(*c.spot_requests);
  if (c.on_demand_vcpus) body["on_demand_vcpus"] = quota_json(*c.on_demand_vcpus);
  return print_answer(c, "quotas", quotas_text, body);
}

int reset(const CtlCommand& c) { return print_answer(c, "reset", reset_text, Json::object()); }
int result(const CtlCommand& c) { return print_answer(c, "result", result_text); }
int instances(const CtlCommand& c) { return print_answer(c, "instances", instances_text); }

int log(const CtlCommand& c) {
  for (std::size_t offset = 0;;) {
    const CtlAnswer answer = ask(c.service, fmt::format("/_spotsim/log?offset={}", offset));
    if (answer.status != 200) return refused(answer);
    if (answer.body.empty()) return kDone;
    fmt::print("{}", answer.body);
    offset += answer.body.size();
  }
}

}  // namespace

void add_ctl_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<CtlCommand>();
  CLI::App* ctl = app.add_subcommand(
      "ctl", "Control a running `spotsim serve`: time, interruptions, prices (docs/serve.md)");
  ctl->require_subcommand(1);
  const auto add = [&](const char* name, const char* description,
                       int (*act)(const CtlCommand&)) -> CLI::App* {
    CLI::App* word = ctl->add_subcommand(name, description);
    // CLI11's envname is not used: subcommands that are not called would read the variable, too,
    // and overwrite the called one's value.
    word->add_option("--url", command->service.url,
                     "the service's URL (default: SPOTSIM_URL, else http://127.0.0.1:5000)");
    word->add_option("--ca", command->service.ca,
                     "for https: the CA's file, such as spotsim-ca/ca.pem (default: SPOTSIM_CA, "
                     "else the system's)");
    if (act != log)
      word->add_flag("--json", command->json,
                     "print the API's answer in JSON (docs/control-api.yaml)");
    word->callback([command, act, &exit_code] {
      CtlService& service = command->service;
      if (service.url.empty()) service.url = usual("SPOTSIM_URL", "http://127.0.0.1:5000");
      if (service.ca.empty()) service.ca = usual("SPOTSIM_CA", "");
      try {
        exit_code = act(*command);
      } catch (const NoAnswer& error) {
        say(Style::kError, std::string("spotsim: ") + error.what());
        exit_code = kNoService;
      }
    });
    return word;
  };
  CLI::App* time = add("clock", "Print virtual time, or advance it", clock);
  auto* to = time->add_option("--to", command->to,
                              "advance the clock to an instant such as 2019-11-05T12:00:00Z");
  auto* by = time->add_option("--by", command->by, "advance the clock by a duration such as 90s");
  auto* next = time->add_flag("--next", command->next, "advance the clock to the next event");
  to->excludes(by, next);
  by->excludes(next);
  CLI::App* strike = add("interrupt", "Interrupt a spot instance", interrupt);
  strike->add_option("INSTANCE", command->instance, "an instance's ID")->required();
  strike
      ->add_option("--how", command->how,
                   "notice: with a notice; rebalance: a recommendation only; hard: "
                   "without a notice (default: notice)")
      ->check(CLI::IsMember({"notice", "rebalance", "hard"}));
  strike
      ->add_option("--reason", command->reason,
                   "reason in the spot request's status code (default: no-capacity)")
      ->check(CLI::IsMember({"no-capacity", "by-price"}));
  CLI::App* dry = add("drain", "Remove a pool's capacity and interrupt its spot instances", drain);
  dry->add_option("POOL", command->pool,
                  "the instance type and zone, such as p3.2xlarge/us-west-2b")
      ->required();
  dry->add_option("--slots", command->slots,
                  "number of instances that stay, the oldest first (default: 0)")
      ->check(CLI::NonNegativeNumber);
  dry->add_flag("--hard", command->hard, "interrupt without a notice");
  CLI::App* cost = add("price", "Set a pool's spot price", price);
  cost->add_option("POOL", command->pool,
                   "the instance type and zone, such as p3.2xlarge/us-west-2b")
      ->required();
  cost->add_option("PRICE", command->price, "US dollars an hour, such as 0.918")->required();
  CLI::App* rented = add("on-demand", "Limit a pool's on-demand capacity", on_demand);
  rented->add_option("POOL", command->pool, "such as p3.2xlarge/us-west-2b")->required();
  rented
      ->add_option("--slots", command->on_demand_slots,
                   "number of on-demand instances that the pool can have (default: unlimited)")
      ->check(CLI::NonNegativeNumber);
  CLI::App* limits = add("quotas", "Print the account's quotas, or set them", quotas);
  limits->add_option("--spot-vcpus", command->spot_vcpus,
                     "vCPUs of spot instances and open requests; none: no limit");
  limits->add_option("--spot-requests", command->spot_requests,
                     "spot requests that are open or have an instance; none: no limit");
  limits->add_option("--on-demand-vcpus", command->on_demand_vcpus,
                     "vCPUs of on-demand instances; none: no limit");
  CLI::App* break_something =
      add("fault", "Add, list and remove faults of AWS's services, metadata and cloud", fault);
  break_something->add_option("ACTION", command->deed, "add, list or remove")->required();
  break_something->add_option(
      "ARGUMENT", command->arguments,
      "add: a kind (docs/faults.md) and NAME=VALUE, such as api-throttled for=2m, or "
      "'{kind: api-throttled, for: 2m}'; at=10m: in ten minutes instead of now. remove: an ID, "
      "or all");
  add("reset", "Reset the service: remove all resources, and set the clock to the start", reset);
  add("log", "Print the event log so far", log);
  add("result", "Print the bill and the result of each instance so far", result);
  add("instances", "Print the instances and the URLs of their metadata", instances);
}

}  // namespace sim::cli
