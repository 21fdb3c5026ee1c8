#include "sim/cli/trace.h"

#include <fmt/format.h>

#include <memory>

#include "sim/cli/trace_commands.h"

namespace sim::cli {
namespace {

// Runs a command for its exit status; the one place where a trace's error becomes a message.
template <typename Command>
void on_parsed(CLI::App& app, std::shared_ptr<Command> command, void (*run)(const Command&),
               int& exit_code) {
  app.callback([command, run, &exit_code] {
    try {
      run(*command);
    } catch (const market::TraceError& error) {
      fmt::print(stderr, "spotsim: {}\n", error.what());
      exit_code = 2;
    }
  });
}

void add_inspect(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("inspect", "Say what a price trace holds");
  auto command = std::make_shared<InspectTrace>();
  app->add_option("FILE", command->file, "a price history in any format that can be read")
      ->required();
  app->add_flag("--json", command->json, "machine-readable, on stdout");
  on_parsed(*app, command, inspect_trace, exit_code);
}

void add_import(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand(
      "import", "Write price histories as AWS's describe-spot-price-history JSON");
  auto command = std::make_shared<ImportTrace>();
  app->add_option("FILE", command->files, "price histories in any format that can be read")
      ->required();
  app->add_option("--out", command->out, "the file to write")->required();
  app->add_option("--from", command->from, "leave out prices that ended before this time");
  app->add_option("--to", command->to, "leave out prices from after this time");
  app->add_option("--type", command->types, "only these instance types");
  app->add_option("--zone", command->zones, "only these Availability Zones");
  on_parsed(*app, command, import_trace, exit_code);
}

void add_synthesize(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand(
      "synthesize", "Draw a price trace in the style of EC2's market since 2017");
  auto command = std::make_shared<SynthesizeTrace>();
  app->add_option("--pool", command->pools,
                  "TYPE/AZ=PRICE or TYPE/AZ=PRICE:MIN..MAX, US dollars an hour; without MIN..MAX "
                  "a tenth below to a tenth above")
      ->required();
  app->add_option("--from", command->from, "the first point's time")->required();
  app->add_option("--to", command->to, "the last point's time")->required();
  app->add_option("--seed", command->seed, "another seed, another trace")->required();
  app->add_option("--interval", command->interval, "mean time between changes")
      ->capture_default_str();
  app->add_option("--volatility", command->volatility_percent,
                  "standard deviation of a change, percent of PRICE")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app->add_option("--out", command->out, "the file to write")->required();
  on_parsed(*app, command, synthesize_trace, exit_code);
}

void add_stats(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("stats", "Say how spot capacity came and went");
  auto command = std::make_shared<TraceStats>();
  app->add_option("FILE", command->files, "availability traces in any format that can be read")
      ->required();
  app->add_option("--instances", command->instances, "available means capacity for so many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_flag("--json", command->json, "machine-readable, on stdout");
  on_parsed(*app, command, trace_stats, exit_code);
}

}  // namespace

Time time_option(const std::string& option, const std::string& value) {
  const auto time = parse_time(value);
  if (time) return *time;
  throw market::TraceError(
      fmt::format("{}: found \"{}\", expected a time such as 2019-11-05T10:00:00Z", option, value));
}

void add_trace_command(CLI::App& app, int& exit_code) {
  CLI::App* trace = app.add_subcommand("trace", "Inspect, import and synthesize price traces");
  trace->require_subcommand(1);
  add_inspect(*trace, exit_code);
  add_import(*trace, exit_code);
  add_synthesize(*trace, exit_code);
  add_stats(*trace, exit_code);
}

}  // namespace sim::cli
