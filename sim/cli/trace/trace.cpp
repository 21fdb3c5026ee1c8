#include <fmt/format.h>

#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/laws/lifetime_law.h"
#include "sim/traces/trace_file.h"

namespace sim::cli {
namespace {

// Runs a command and returns its exit status. The only place that turns a trace's error into a
// message.
template <typename Command>
void on_parsed(CLI::App& app, std::shared_ptr<Command> command, void (*run)(const Command&),
               int& exit_code) {
  app.callback([command, run, &exit_code] {
    try {
      run(*command);
    } catch (const traces::TraceError& error) {
      say(Style::kError, std::string("spotsim: ") + error.what());
      exit_code = 2;
    }
  });
}

void add_list(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("list", "Print the traces that come with spotsim, by name");
  auto command = std::make_shared<ListTraces>();
  app->add_flag("--json", command->json, "print JSON");
  on_parsed(*app, command, list_traces, exit_code);
}

void add_inspect(CLI::App& trace, int& exit_code) {
  CLI::App* app =
      trace.add_subcommand("inspect", "Print the format of traces and the time span of each pool");
  auto command = std::make_shared<InspectTrace>();
  add_trace_input(*app, command->input);
  app->add_flag("--json", command->json, "print JSON");
  on_parsed(*app, command, inspect_trace, exit_code);
}

void add_import(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand(
      "import",
      "Convert prices to AWS's JSON, or availability to one JSON file of capacity per pool");
  auto command = std::make_shared<ImportTrace>();
  add_trace_input(*app, command->input);
  app->add_option("--out", command->out, "output file of prices, or output folder of availability")
      ->required();
  app->add_option("--from", command->from, "leave out data that ended before this time");
  app->add_option("--to", command->to, "leave out data after this time");
  app->add_option(
      "--tick", command->tick,
      "time between two values of availability (default: the longest that loses no change)");
  on_parsed(*app, command, import_trace, exit_code);
}

void add_synth(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand(
      "synth", "Generate a random trace, from parameters or fitted to a given one");
  auto command = std::make_shared<SynthTrace>();
  add_trace_input(*app, command->input);
  app->get_option("--pool")->description(
      "with FILE: only these pools. Without FILE: TYPE/AZ=PRICE or TYPE/AZ=PRICE:MIN..MAX, in US "
      "dollars an hour (MIN and MAX are by default a tenth below and above PRICE), or "
      "TYPE/AZ=UP:DOWN, the mean times with and without capacity");
  app->add_option("--from", command->from, "start of the trace (default with FILE: its start)");
  app->add_option("--to", command->to, "end of the trace (default with FILE: its end)");
  app->add_option("--instance-type-file", command->instance_type_file,
                  "your own instance types, for --pool (docs/instance-types.md)");
  app->add_option("--seed", command->seed, "seed of the random trace")->required();
  app->add_option("--interval", command->interval, "prices without FILE: mean time between changes")
      ->capture_default_str();
  app->add_option("--volatility", command->volatility_percent,
                  "prices without FILE: standard deviation of a change, percent of PRICE")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app->add_option(
         "--reversion", command->reversion_percent,
         "prices without FILE: mean reversion, percent of the distance to PRICE per change")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  std::vector<std::string> laws{"best", "markov"};
  for (const laws::LifetimeLaw* law : laws::lifetime_laws()) laws.emplace_back(law->name);
  app->add_option("--law", command->law,
                  "availability with FILE: distribution of how long capacity lasts; markov: one "
                  "Markov chain of all pools")
      ->check(CLI::IsMember(laws))
      ->capture_default_str();
  app->add_option("--instances", command->instances,
                  "a pool is available if it has capacity for this number of instances")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_option("--tick", command->tick,
                  "time between two values of availability (default: FILE's, else 10m)");
  app->add_option("--up-shape", command->up_shape,
                  "availability without FILE: Weibull's shape of times with capacity")
      ->check(CLI::Range(0.1, 100.0))
      ->capture_default_str();
  app->add_option("--down-shape", command->down_shape,
                  "availability without FILE: Weibull's shape of times without capacity")
      ->check(CLI::Range(0.1, 100.0))
      ->capture_default_str();
  app->add_option("--out", command->out, "output file of prices, or output folder of availability")
      ->required();
  app->add_flag("--json", command->json, "print the comparison with FILE as JSON");
  on_parsed(*app, command, synth_trace, exit_code);
}

void add_windows(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand(
      "windows", "Cut windows (parts of equal length) out of traces at random starts, for sweeps");
  auto command = std::make_shared<TraceWindows>();
  add_trace_input(*app, command->input);
  app->add_option("--length", command->length, "length of a window")->required();
  app->add_option("--count", command->count, "number of windows per pool")
      ->check(CLI::Range(1, 1'000'000))
      ->required();
  app->add_option("--seed", command->seed, "seed of the random starts")->required();
  app->add_option("--tick", command->tick, "time that one bit of a window stands for")
      ->capture_default_str();
  app->add_option("--instances", command->instances,
                  "a pool is available if it has capacity for this number of instances")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_option("--out", command->out, "output file; compressed if its name ends in .gz")
      ->required();
  on_parsed(*app, command, trace_windows, exit_code);
}

void add_stats(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("stats", "Print statistics of prices or spot capacity");
  auto command = std::make_shared<TraceStats>();
  add_trace_input(*app, command->input);
  app->add_option("--instances", command->instances,
                  "a pool is available if it has capacity for this number of instances")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app->add_flag("--json", command->json, "print JSON");
  on_parsed(*app, command, trace_stats, exit_code);
}

void add_plot(CLI::App& trace, int& exit_code) {
  CLI::App* app = trace.add_subcommand("plot", "Draw prices and capacity as a page or a picture");
  auto command = std::make_shared<PlotTrace>();
  add_trace_input(*app, command->input);
  app->add_option("--out", command->out,
                  "the file: a page (.html) or a picture of at most twelve pools (.svg, .png)")
      ->required();
  on_parsed(*app, command, plot_trace, exit_code);
}

}  // namespace

void add_trace_command(CLI::App& app, int& exit_code) {
  CLI::App* trace = app.add_subcommand(
      "trace", "List, inspect, convert, generate and plot traces of prices and availability");
  trace->require_subcommand(1);
  add_list(*trace, exit_code);
  add_inspect(*trace, exit_code);
  add_import(*trace, exit_code);
  add_stats(*trace, exit_code);
  add_synth(*trace, exit_code);
  add_windows(*trace, exit_code);
  add_plot(*trace, exit_code);
}

}  // namespace sim::cli
