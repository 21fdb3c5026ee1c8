#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/files/text_file.h"
#include "base/process/in_parallel.h"
#include "sim/cli/commands.h"
#include "sim/cli/stop_on_signals.h"
#include "sim/cli/sweep/sweep_advice.h"
#include "sim/cli/sweep/sweep_plot.h"
#include "sim/cli/sweep/sweep_table.h"
#include "sim/cli/terminal/live_line.h"
#include "sim/cli/terminal/runs_progress.h"
#include "sim/cli/terminal/terminal_style.h"
#include "sim/market/price_history.h"
#include "sim/result/missing_action.h"
#include "sim/scenario/scenario.h"
#include "sim/sweep/file/sweep_file.h"
#include "sim/sweep/results.h"
#include "sim/sweep/store.h"
#include "sim/sweep/workers.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kAllWell = 0, kSomeFailed = 1, kBadSweep = 2, kSweepStopped = 130;
constexpr std::size_t kMostTold = 10;  // failed runs that are printed

struct SweepCommand {
  fs::path file;
  fs::path out;          // empty: out/<name>
  unsigned threads = 0;  // 0: as many as there are cores
  std::string shard;     // "i/n"
  bool quiet = false;
  bool plot = false;
  bool force = false;  // replace another sweep's rows in `out`
};

struct MergeCommand {
  fs::path file;
  std::vector<fs::path> parts;
  fs::path out;
  bool plot = false;
};

// The progress line on a terminal, with the remaining time.
class Bar {
 public:
  Bar(std::size_t done, std::size_t all, bool quiet)
      : first_(done), done_(done), all_(all), line_(!quiet) {}
  void add(std::size_t blocks) {
    done_ += blocks;
    if (!line_.due()) return;
    const auto spent = std::chrono::steady_clock::now() - begin_;
    const double rate = static_cast<double>(done_ - first_) / seconds(spent);
    const double left = static_cast<double>(all_ - done_) / std::max(rate, 1e-9);
    line_.draw(
        fmt::format("{}/{} blocks  {:.0f} a second  {:.0f} s left", done_, all_, rate, left));
  }

 private:
  std::size_t first_, done_, all_;
  LiveLine line_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

sweep::Shard shard_of(const std::string& text) {
  sweep::Shard shard;
  if (text.empty()) return shard;
  const char *begin = text.data(), *end = begin + text.size();
  const auto first = std::from_chars(begin, end, shard.index);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.count) : first;
  if (!slash || second.ec != std::errc{} || second.ptr != end || shard.count < 1 ||
      shard.count > 1'000'000 || shard.index < 0 || shard.index >= shard.count) {
    throw sweep::StoreError(
        fmt::format("--shard: found \"{}\", expected i/n such as 0/4, with i from 0 to n-1", text));
  }
  return shard;
}

// Prints to stderr, so that failures are seen with --quiet, too.
int tell_failed_runs(const std::vector<std::string>& failures) {
  for (std::size_t i = 0; i < std::min(failures.size(), kMostTold); ++i)
    fmt::print(stderr, "spotsim: {}\n", failures[i]);
  if (failures.size() > kMostTold)
    fmt::print(stderr, "spotsim: and {} more\n", failures.size() - kMostTold);
  return failures.empty() ? kAllWell : kSomeFailed;
}

void write_plots(const sweep::Grid& grid, const std::vector<sweep::Summary>& summaries,
                 const fs::path& out) {
  auto files = sweep_plots(grid, summaries);
  for (traces::TraceFile& file : files) file.path = out / file.path;
  traces::write_trace_files(files);
}

struct Output {
  fs::path folder, file;  // `file` is the sweep file
  bool quiet = false, plot = false;
};

// Writes the commands for `spotsim report`: first the command that makes the sweep again, then a
// line for each row of the summary. That line replays the first run of the row's variant, and is
// empty if no command does.
void write_commands(const sweep::Sweep& sweep, const std::vector<sweep::Summary>& summaries,
                    const Output& output) {
  const sweep::Grid& grid = sweep.grid();
  std::string text = "spotsim sweep " + output.file.string() + "\n";
  for (const sweep::Summary& s : summaries) {
    const auto first = static_cast<std::int64_t>(s.group ? grid.groups[*s.group].cases.front() : 0);
    const std::int64_t cases = s.setting * grid.cases.size() + first;
    text += sweep.replay(cases * grid.variants.size() + s.variant) + "\n";
  }
  base::write_text_file(output.folder / "command.txt", text);
}

int finish(const sweep::Sweep& sweep, const sweep::Rows& rows, const Output& output) {
  const auto summaries = sweep::summarize(sweep.grid(), rows);
  sweep::write_results(sweep.grid(), rows, summaries, output.folder);
  write_commands(sweep, summaries, output);
  if (output.plot) write_plots(sweep.grid(), summaries, output.folder);
  if (!output.quiet) {
    const Styler styled(stdout);
    fmt::print("{}\n{}", sweep_table(sweep.grid(), summaries, styled),
               sweep_advice(sweep.grid(), summaries, styled));
  }
  std::fflush(stdout);
  return tell_failed_runs(sweep.failures(rows));
}

void make_output(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw sweep::StoreError(fmt::format("cannot write {}: {} (--out names another folder)",
                                        folder.string(), error.message()));
}

fs::path part_of(const fs::path& out, const sweep::Shard& shard) {
  return out / fmt::format("part-{}-of-{}.db", shard.index, shard.count);
}

// Reads the sweep in every process of the job. If some cannot read it, the first of them throws and
// the others return nothing, so that the error is printed once.
std::optional<sweep::SweepFile> read_in_job(const fs::path& file, const sweep::MpiJob& mpi) {
  std::optional<sweep::SweepFile> sweep;
  std::exception_ptr failure;
  try {
    sweep = sweep::read_sweep(file);
  } catch (...) {
    failure = std::current_exception();
  }
  const int first = mpi.first_where(failure != nullptr);
  if (first == mpi.rank()) std::rethrow_exception(failure);
  if (first < mpi.size()) sweep.reset();
  return sweep;
}

// Runs these blocks with process guests and stores each one's rows.
void run_programs(const sweep::Sweep& sweep, const std::vector<std::int64_t>& blocks,
                  std::size_t at_once, const sweep::Keep& keep, RunsProgress& progress) {
  sweep::run_in_children(sweep, blocks, at_once, stop_asked(), [&](const sweep::Rows& rows) {
    keep(rows);
    progress.add();
  });
  progress.clear();
}

// Names AWS actions that spotsim does not have before the results, because they may explain them.
// A sweep that continues knows only the actions of its new runs.
void tell_missing_actions(const std::set<std::string>& actions) {
  if (actions.empty()) return;
  say(Style::kWarning, fmt::format("spotsim: warning: the simulated AWS does not support {}: {}",
                                   fmt::join(actions, ", "), result::kOfMissingActions));
}

// Computes the blocks that the store lacks. False if a signal ended the sweep before that.
bool run_blocks(const SweepCommand& command, const sweep::SweepFile& file,
                const sweep::Shard& shard, sweep::Store& store, const sweep::MpiJob& mpi) {
  const sweep::Sweep& sweep = *file.sweep;
  const auto blocks = sweep::blocks_to_do(sweep.grid(), shard, store.rows());
  const auto all =
      static_cast<std::size_t>((sweep.grid().blocks() - shard.index - 1) / shard.count + 1);
  const unsigned threads = command.threads ? command.threads : static_cast<unsigned>(base::cores());
  const bool programs = sweep.needs_processes() && mpi.size() == 1;
  RunsProgress progress(file.name, blocks.size(), threads, command.quiet || !programs);
  Bar bar(all - blocks.size(), all, command.quiet || programs);
  std::set<std::string> missing;
  const sweep::Keep keep = [&](const sweep::Rows& rows) {
    store.add(rows);
    missing.insert(rows.missing_actions.begin(), rows.missing_actions.end());
    bar.add(rows.size() / static_cast<std::size_t>(sweep.grid().runs_a_block));
  };
  if (mpi.size() > 1)
    mpi.hand_out(sweep, blocks, keep);
  else if (programs)
    run_programs(sweep, blocks, threads, keep, progress);
  else
    sweep::run_on_threads(sweep, blocks, threads, keep);
  tell_missing_actions(missing);
  return !stop_asked().load();
}

int run_sweep(const SweepCommand& command, const sweep::SweepFile& file, const sweep::MpiJob& mpi) {
  sweep::Sweep& sweep = *file.sweep;
  if (sweep.needs_processes()) {
    stop_on_signals();
    sweep.stop_on(stop_asked());
  }
  if (mpi.rank() > 0) return mpi.work(sweep), kAllWell;
  for (const std::string& warning : file.warnings) say(Style::kWarning, warning);
  const sweep::Shard shard = shard_of(command.shard);
  const fs::path out = command.out.empty() ? fs::path("out") / file.name : command.out;
  make_output(out);
  const fs::path part = part_of(out, shard);
  if (command.force) sweep::forget_other_sweep(part, sweep);
  sweep::Store store(part, sweep);
  store.add(sweep.fingerprint().rows);
  if (!run_blocks(command, file, shard, store, mpi)) {
    fmt::print(stderr, "spotsim: interrupted; the same command continues this sweep\n");
    return kSweepStopped;
  }
  if (shard.count > 1) {
    if (!command.quiet) fmt::print("{}: all blocks of this part\n", part.string());
    return kAllWell;
  }
  return finish(sweep, store.rows(), {out, command.file, command.quiet, command.plot});
}

int merge_sweep(const MergeCommand& command) {
  const sweep::SweepFile file = sweep::read_sweep(command.file);
  const sweep::Rows rows = sweep::read_parts(command.parts, *file.sweep);
  make_output(command.out);
  return finish(*file.sweep, rows,
                {.folder = command.out, .file = command.file, .plot = command.plot});
}

// The only place that turns an exception into a message.
int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const scenario::ScenarioError& error) {
    say(Style::kError, error.what());
  } catch (const std::exception& error) {  // a trace, a store, a folder
    say(Style::kError, std::string("spotsim: ") + error.what());
  }
  return kBadSweep;
}

int run_in_job(const SweepCommand& command) {
  const sweep::MpiJob mpi;
  const auto file = read_in_job(command.file, mpi);
  // At the first failure mpirun kills the other ranks, which may still print.
  if (!file) return kAllWell;
  const int status = guarded([&] { return run_sweep(command, *file, mpi); });
  if (status == kBadSweep) mpi.abort();  // the other ranks wait for this one
  return status;
}

}  // namespace

void add_sweep_commands(CLI::App& app, int& exit_code) {
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run all combinations of a sweep file's policies, trace windows and settings");
  auto command = std::make_shared<SweepCommand>();
  sweep->add_option("SWEEP", command->file, "a sweep file (docs/sweeps.md)")->required();
  sweep->add_option("--out", command->out, "output folder (default: out/<name>)");
  sweep
      ->add_option("--threads", command->threads, "number of parallel runs (default: one per core)")
      ->check(CLI::Range(1, 1024));
  sweep->add_option("--shard", command->shard,
                    "i/n: run only part i of n; `spotsim merge` combines the parts");
  sweep->add_flag("--force", command->force, "replace the runs of another sweep in --out");
  sweep->add_flag("--quiet", command->quiet, "print no summary and no progress");
  sweep->add_flag("--plot", command->plot, "also draw the results as SVG files");
  sweep->callback(
      [command, &exit_code] { exit_code = guarded([&] { return run_in_job(*command); }); });
  CLI::App* merge = app.add_subcommand("merge", "Merge the parts of a sweep");
  auto parts = std::make_shared<MergeCommand>();
  merge->add_option("SWEEP", parts->file, "the sweep file")->required();
  merge->add_option("PART", parts->parts, "part-*.db of `spotsim sweep --shard`")->required();
  merge->add_option("--out", parts->out, "output folder")->required();
  merge->add_flag("--plot", parts->plot, "also draw the results as SVG files");
  merge->callback(
      [parts, &exit_code] { exit_code = guarded([&] { return merge_sweep(*parts); }); });
}

}  // namespace sim::cli
