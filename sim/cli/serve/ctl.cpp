#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json_text.h"
#include "sim/cli/commands.h"
#include "sim/cli/serve/ctl_client.h"
#include "sim/cli/serve/ctl_text.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"

namespace sim::cli {
namespace {

constexpr int kDone = 0, kRefused = 1, kNoService = 2;

struct CtlCommand {
  CtlService service;
  std::optional<std::string> to, by, reason;
  bool next = false, hard = false, json = false;
  std::string instance, how = "notice", pool, price, fault;
  std::vector<std::string> parameters;  // NAME=VALUE
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

int fault(const CtlCommand& c) {
  Json body{{"kind", c.fault}};
  for (const std::string& parameter : c.parameters) {
    const auto equals = parameter.find('=');
    body[parameter.substr(0, equals)] = parameter.substr(equals + 1);
  }
  return print_answer(c, "fault", fault_text, body);
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
  CLI::App* break_something = add("fault", "Inject a fault", fault);
  break_something
      ->add_option("KIND", command->fault,
                   "the kind of fault, such as api-throttled (docs/faults.md)")
      ->required();
  break_something
      ->add_option(
          "PARAMETER", command->parameters,
          "NAME=VALUE, such as action=any or for=2m; at=10m: in ten minutes instead of now")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return text.find('=', 1) == text.npos
                       ? fmt::format("found {}, expected NAME=VALUE such as for=2m", text)
                       : "";
          },
          "NAME=VALUE"));
  add("reset", "Reset the service: remove all resources, and set the clock to the start", reset);
  add("log", "Print the event log so far", log);
  add("result", "Print the bill and the result of each instance so far", result);
  add("instances", "Print the instances and the URLs of their metadata", instances);
}

}  // namespace sim::cli
