#include "sim/serve/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/page.h"
#include "sim/cli/commands.h"
#include "sim/cli/serve/serve_progress.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/iam/account.h"
#include "sim/run/schedule.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/yaml_fields.h"
#include "sim/serve/control.h"
#include "sim/serve/fallback.h"
#include "sim/serve/instant.h"
#include "sim/serve/listen.h"
#include "sim/serve/pace.h"
#include "sim/serve/wall_clock.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

struct ServeCommand {
  std::optional<fs::path> scenario;
  std::optional<Time> start;
  std::string address = "127.0.0.1";
  int port = 5000;
  std::string speed = "1x";
  serve::Profile profile = serve::Profile::kScenario;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> set;
  std::optional<fs::path> state, out;
  std::optional<int> tls_port;
  fs::path tls_folder = "spotsim-ca";
  std::vector<std::string> hosts;
  std::string fallback;
  bool json = false, ui = false, iam = false;
};

// Reports the real time of a notice if virtual time is faster.
void say_how_long_a_notice_is(const std::string& speed, const scenario::Scenario& scenario) {
  const serve::Pace pace(serve::parse_speed(speed).value(), Time{}, {});
  const Duration notice = scenario.cloud.durations.interruption_notice;
  const auto real = pace.until(Time{} + notice, {});
  if (!real || *real >= notice) return;
  fmt::print(stderr,
             "spotsim: {}: at {} an interruption's notice of {} is over in {:.3g} s of real time\n",
             scenario.name, serve::to_string(pace.speed()), format_duration(notice),
             seconds(*real));
}

std::string page_url(const ServeCommand& command, int port) {
  return serve::url_of("http", command.address, port) + std::string(serve::kPagePath);
}

void say_where(const ServeCommand& command, const scenario::Scenario& scenario, int port,
               int tls_port) {
  fmt::print(stderr, "spotsim: {}: AWS is at {}\n", scenario.name,
             serve::url_of("http", command.address, port));
  if (command.tls_port)
    fmt::print(stderr, "spotsim: {}: and at {}, for clients with AWS_CA_BUNDLE={}\n", scenario.name,
               serve::url_of("https", command.address, tls_port),
               fs::absolute(command.tls_folder / "ca.pem").string());
  if (command.ui)
    fmt::print(stderr, "spotsim: {}: the live page is at {}\n", scenario.name,
               page_url(command, port));
  if (!command.fallback.empty())
    fmt::print(stderr, "spotsim: {}: calls of other services go to {}\n", scenario.name,
               command.fallback);
  if (serve::is_loopback(command.address)) {
    fmt::print(
        stderr,
        "spotsim: reachable from this machine only, because there is no authentication: every "
        "client of the port has full access. To listen on another address, use --bind\n");
  } else {
    say(Style::kWarning,
        "spotsim: warning: there is no authentication: every client that reaches this address has "
        "full access");
  }
  if (scenario.iam_decides)
    fmt::print(stderr,
               "spotsim: {}: IAM decides; the administrator has AWS_ACCESS_KEY_ID={} and "
               "AWS_SECRET_ACCESS_KEY={}\n",
               scenario.name, iam::kOperatorKey, iam::kOperatorSecret);
  say_how_long_a_notice_is(command.speed, scenario);
  for (const std::string& text : serve::not_served(scenario))
    fmt::print(stderr, "spotsim: {}: {}\n", scenario.name, text);
}

// True if the world starts at the present date: neither the scenario nor --start determines its
// start. With a state file it must not depend on the wall clock, because a later start needs the
// same world.
bool starts_by_date(const ServeCommand& command) {
  if (command.start || command.state) return false;
  return !command.scenario || command.profile == serve::Profile::kInstant;
}

std::optional<Time> start_of(const ServeCommand& command) {
  return starts_by_date(command) ? serve::date_now() : command.start;
}

scenario::Scenario scenario_of(const ServeCommand& command, const scenario::Overrides& set) {
  constexpr std::string_view kStateStart = "2025-01-01T00:00:00Z";
  const std::optional<Time> start = start_of(command);
  if (!command.scenario) {
    if (!command.set.empty())
      throw scenario::ScenarioError({"--set: found " + command.set.front() +
                                     ", expected none without a scenario: name a SCENARIO"});
    return serve::default_scenario(start.value_or(parse_time(kStateStart).value()));
  }
  scenario::Scenario scenario = scenario::read_scenario(*command.scenario, set);
  if (start) serve::move_to(scenario, *start);
  return scenario;
}

// Throws ScenarioError for a profile that accepts any credentials.
void decide_as_asked(const ServeCommand& command, scenario::Scenario& scenario) {
  if (command.iam) scenario.iam_decides = true;
  if (scenario.iam_decides && command.profile == serve::Profile::kInstant)
    throw scenario::ScenarioError(
        {"spotsim: --profile instant accepts any credentials, so IAM cannot decide: leave out "
         "--profile instant, or --iam and the scenario's iam.decide"});
}

// Throws ScenarioError where calls cannot be passed on.
void check_fallback(const ServeCommand& command) {
  if (command.fallback.empty()) return;
  if (command.state)
    throw scenario::ScenarioError(
        {"spotsim: --state repeats calls, which --fallback cannot do with those of another "
         "endpoint: leave out one of them"});
  for (const std::string& own : {command.address, std::string("localhost")})
    if (command.fallback == serve::url_of("http", own, command.port))
      throw scenario::ScenarioError({"--fallback: found " + command.fallback +
                                     ", expected another endpoint than spotsim's own"});
}

void need_no_faults(const scenario::Scenario& scenario) {
  std::size_t count = scenario.faults.size();
  for (const scenario::Region& region : scenario.further_regions) count += region.faults.size();
  if (count > 0)
    throw scenario::ScenarioError({scenario.file.string() + ": faults: found " +
                                   std::to_string(count) +
                                   ", expected none: the served cloud has no faults"});
}

void serve_one(const ServeCommand& command) {
  check_fallback(command);
  const scenario::Overrides set = scenario::parse_overrides(command.set);
  scenario::Scenario scenario = scenario_of(command, set);
  decide_as_asked(command, scenario);
  run::need_no_files(scenario);
  need_no_faults(scenario);
  if (command.ui && !page::has_page()) throw std::runtime_error(page::kNoPage);
  ServeProgress progress(command.json);
  serve::TestbedOptions options{
      .served = {.seed = command.seed.value_or(scenario.seed),
                 .profile = command.profile,
                 .out = command.out.value_or(""),
                 .live = command.ui,
                 .listen = [&](events::Listeners& log, const result::History& history,
                               const auto& cost) { progress.listen(log, history, cost); }},
      .speed = serve::parse_speed(command.speed).value(),
      .state = command.state.value_or(""),
      .set = scenario::as_arguments(set) +
             (command.start ? " --start " + iso_nanoseconds(*command.start) : "") +
             (command.iam ? " --iam" : ""),
      .allowed_hosts = command.hosts,
      .fallback = command.fallback,
      .by_date = starts_by_date(command)};
  serve::HttpSender sender(command.hosts);
  if (!command.state) options.served.http_endpoints = &sender;
  progress.pause(true);  // during the replay of stored calls
  serve::Testbed testbed(scenario, options, serve::real_now());
  progress.pause(false);
  const serve::ServeOptions how{
      .address = command.address,
      .port = command.port,
      .tls_port = command.tls_port,
      .tls_folder = command.tls_folder,
      .hosts = command.hosts,
      .sender = &sender,
      .ready =
          [&](int port, int tls_port) {
            say_where(command, scenario, port, tls_port);
            if (testbed.replayed() > 0)
              fmt::print(stderr, "spotsim: {}: {} earlier calls replayed, now {}\n",
                         command.state->string(), testbed.replayed(),
                         iso_seconds(testbed.served().now()));
            progress.ready(
                serve::url_of("http", command.address, port),
                command.tls_port ? serve::url_of("https", command.address, tls_port) : "",
                command.ui ? page_url(command, port) : "", testbed.served().now());
          },
      .warn = [](const std::string& text) { say(Style::kWarning, "spotsim: warning: " + text); }};
  serve::serve(testbed, how);
  progress.clear();
  progress.tell_missing_permissions();
  fmt::print(stderr, "spotsim: {}: ended at {}: {} calls, {} events, ${:.4f} so far\n",
             scenario.name, iso_seconds(testbed.served().now()), testbed.answered(),
             testbed.served().log().lines(), testbed.served().cloud().cost_so_far().dollars());
}

int serve_command(const ServeCommand& command) {
  try {
    serve_one(command);
    return 0;
  } catch (const scenario::ScenarioError& error) {
    say(Style::kError, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    say(Style::kError,
        fmt::format("spotsim: cannot write {}: {} (--out and --tls-folder name other folders)",
                    error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    say(Style::kError, std::string("spotsim: ") + error.what());
  }
  return 2;
}

std::string check_speed(const std::string& text) {
  return serve::parse_speed(text) ? ""
                                  : fmt::format(
                                        "found {}, expected 1x, a multiple such as 60x, "
                                        "max or manual",
                                        text);
}

std::string check_start(const std::string& text) {
  const auto time = parse_time(text);
  return time && scenario::in_range(*time)
             ? ""
             : fmt::format("found {}, expected a time such as 2025-11-05T10:00:00Z", text);
}

std::string check_fallback_url(const std::string& text) {
  return !serve::endpoint_of(text).empty()
             ? ""
             : fmt::format("found {}, expected a URL such as http://localhost:5001", text);
}

std::string check_host(const std::string& text) {
  const bool is_name = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
  return is_name ? "" : fmt::format("found {}, expected a host's name without a port", text);
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<ServeCommand>();
  CLI::App* serve = app.add_subcommand(
      "serve",
      "Serve a simulated AWS on a port, for clients such as aws-cli and boto3 (docs/serve.md)");
  serve->add_option("SCENARIO", command->scenario,
                    "a scenario file (docs/scenario.md); without one: us-west-2, with a constant "
                    "spot price for each instance type");
  serve
      ->add_option_function<std::string>(
          "--start", [command](const std::string& text) { command->start = parse_time(text); },
          "TIME: start of the simulation; prices are shifted with it (default: the scenario's "
          "start, or the present date; docs/serve.md)")
      ->check(CLI::Validator(check_start, "TIME"));
  serve->add_option("--port", command->port, "port to listen on; 0: any free port (default: 5000)")
      ->check(CLI::Range(0, 65535));
  serve->add_option("--bind", command->address, "IP address to listen on (default: 127.0.0.1)");
  serve
      ->add_option("--allow-host", command->hosts,
                   "NAME: also accept requests with this name in the Host header, such as a "
                   "container's; .NAME: also names below it")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_host, "NAME"));
  serve
      ->add_option("--tls-port", command->tls_port,
                   "additional port with TLS; 0: any free port (default: none)")
      ->check(CLI::Range(0, 65535));
  serve->add_option("--tls-folder", command->tls_folder,
                    "folder of the local CA's ca.pem and ca-key.pem, made if they do not exist "
                    "(default: spotsim-ca)");
  serve
      ->add_option("--speed", command->speed,
                   "speed of virtual time: 1x, a multiple such as 60x, max or manual (default: 1x; "
                   "docs/serve.md)")
      ->check(CLI::Validator(check_speed, "SPEED"));
  serve
      ->add_option(
          "--profile", command->profile,
          "scenario: the scenario's durations, and each call must name a key; instant: state "
          "transitions take no time, and calls need no key")
      ->transform(CLI::CheckedTransformer(std::map<std::string, serve::Profile>{
          {"scenario", serve::Profile::kScenario}, {"instant", serve::Profile::kInstant}}));
  serve->add_option("--state", command->state,
                    "file that stores all calls; a later start with it continues from there");
  serve
      ->add_option_function<std::string>(
          "--fallback",
          [command](const std::string& text) { command->fallback = serve::endpoint_of(text); },
          "URL of another endpoint, such as http://localhost:5001: calls of services that spotsim "
          "does not have go there unchanged (api.passed-on in the log)")
      ->check(CLI::Validator(check_fallback_url, "URL"));
  serve->add_option("--out", command->out, "folder for events.jsonl");
  serve->add_option("--seed", command->seed, "seed of all random draws (default: the scenario's)")
      ->check(CLI::NonNegativeNumber);
  serve
      ->add_option("--set", command->set,
                   "KEY=VALUE: replace the value of a scenario's key, such as prices.snapshot=0.1")
      ->allow_extra_args(false);
  serve->add_flag("--iam", command->iam,
                  "IAM decides about calls, and signatures are verified, like iam.decide in a "
                  "scenario (docs/iam.md)");
  serve->add_flag("--ui", command->ui,
                  "also serve a live page: the timeline, with buttons that advance the clock, "
                  "interrupt instances and inject faults");
  serve->add_flag("--json", command->json, "print the events to stdout, one JSON object per line");
  serve->callback([command, &exit_code] { exit_code = serve_command(*command); });
}

}  // namespace sim::cli
