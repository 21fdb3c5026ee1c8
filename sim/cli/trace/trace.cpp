#include <fmt/format.h>

#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/laws/lifetime_law.h"
#include "sim/traces/trace_file.h"

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
      say(Style::kError, std::string("spotsim: ") + error.what());
      exit_code = 2;
    }
  });
}

void add_inspect(CLI::App& trace, int& exit_code) {
  CLI::App* app =
      trace.add_subcommand("inspect", "Print the format of traces and the extent of each pool");
  auto command = std::make_shared<InspectTrace>();
  add_trace_input(*app, command->input);
  app->add_flag("--json", command->json, "machine-readable, on stdout");
  on_parsed(*app, command, inspect_trace, exit_code);
}

void add_import(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand(
      "import", "Write prices as AWS's JSON, availability as a capacity JSON a pool");
  auto command = std::make_shared<ImportTrace>();
  add_trace_input(*app, command->input);
  app->add_option("--out", command->out, "prices: the file; availability: the folder")->required();
  app->add_option("--from", command->from, "leave out data that ended before this time");
  app->add_option("--to", command->to, "leave out data after this time");
  app->add_option("--tick", command->tick,
                  "of availability; without it the longest that loses nothing");
  on_parsed(*app, command, import_trace, exit_code);
}

void add_synth(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("synth", "Draw a trace, from nothing or like a given one");
  auto command = std::make_shared<SynthTrace>();
  add_trace_input(*app, command->input);
  app->get_option("--pool")->description(
      "with FILE: only these pools. Without: TYPE/AZ=PRICE or TYPE/AZ=PRICE:MIN..MAX, US dollars "
      "an "
      "hour (without MIN..MAX a tenth below to a tenth above), or TYPE/AZ=UP:DOWN, mean times with "
      "and without capacity");
  app->add_option("--from", command->from, "where it begins; with FILE, where that does");
  app->add_option("--to", command->to, "where it ends; with FILE, where that does");
  app->add_option("--instance-type-file", command->instance_type_file,
                  "types of your own that --pool may name (docs/instance-types.md)");
  app->add_option("--seed", command->seed, "another seed, another trace")->required();
  app->add_option("--interval", command->interval, "prices without FILE: mean time between changes")
      ->capture_default_str();
  app->add_option("--volatility", command->volatility_percent,
                  "prices without FILE: standard deviation of a change, percent of PRICE")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app->add_option("--reversion", command->reversion_percent,
                  "prices without FILE: a change's share of the way back to PRICE, percent")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  std::vector<std::string> laws{"best", "markov"};
  for (const market::LifetimeLaw* law : market::lifetime_laws()) laws.emplace_back(law->name);
  app->add_option("--law", command->law,
                  "availability with FILE: the law of stretches, or the joint chain of the pools")
      ->check(CLI::IsMember(laws))
      ->capture_default_str();
  app->add_option("--instances", command->instances, "available means capacity for so many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_option("--tick", command->tick, "of availability; with FILE its own, without 10m");
  for (auto [option, shape] : {std::pair{"--up-shape", &command->up_shape},
                               std::pair{"--down-shape", &command->down_shape}})
    app->add_option(option, *shape, "availability without FILE: Weibull's shape")
        ->check(CLI::Range(0.1, 100.0))
        ->capture_default_str();
  app->add_option("--out", command->out, "prices: the file; availability: the folder")->required();
  app->add_flag("--json", command->json, "the report on a FILE, machine-readable");
  on_parsed(*app, command, synth_trace, exit_code);
}

void add_windows(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("windows", "Cut windows at random starts, for sweeps");
  auto command = std::make_shared<TraceWindows>();
  add_trace_input(*app, command->input);
  app->add_option("--length", command->length, "of a window")->required();
  app->add_option("--count", command->count, "windows of each pool")
      ->check(CLI::Range(1, 1'000'000))
      ->required();
  app->add_option("--seed", command->seed, "another seed, other starts")->required();
  app->add_option("--tick", command->tick, "the time that a bit stands for")->capture_default_str();
  app->add_option("--instances", command->instances, "available means capacity for so many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_option("--out", command->out, "the file; gzip where it ends in .gz")->required();
  on_parsed(*app, command, trace_windows, exit_code);
}

void add_stats(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("stats", "Print statistics of prices or spot capacity");
  auto command = std::make_shared<TraceStats>();
  add_trace_input(*app, command->input);
  app->add_option("--instances", command->instances, "available means capacity for so many")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_flag("--json", command->json, "machine-readable, on stdout");
  on_parsed(*app, command, trace_stats, exit_code);
}

void add_plot(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("plot", "Draw up to twelve pools as an SVG file");
  auto command = std::make_shared<PlotTrace>();
  add_trace_input(*app, command->input);
  app->add_option("--out", command->out, "the file to write")->required();
  on_parsed(*app, command, plot_trace, exit_code);
}

}  // namespace

void add_trace_command(CLI::App& app, int& exit_code) {
  CLI::App* trace = app.add_subcommand("trace", "Price and availability traces without a run");
  trace->require_subcommand(1);
  add_inspect(*trace, exit_code);
  add_import(*trace, exit_code);
  add_stats(*trace, exit_code);
  add_synth(*trace, exit_code);
  add_windows(*trace, exit_code);
  add_plot(*trace, exit_code);
}

}  // namespace sim::cli
