// The grid of a sweep: its runs, and a row of whole numbers for each run. The runs are all
// combinations of settings, cases and variants. All variants of a setting meet the same cases
// (windows of a trace, or seeds), so they can be compared in pairs. Each kind of sweep derives from
// Sweep; stores, statistics and results only know the grid.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/run_policies.h"
#include "sim/ticks/window_origin.h"

namespace sim::sweep {

// The unit of a measure's integers, and its form in tables.
enum class Unit {
  kCount,
  kUsd,    // 10^-9 dollars; shown in dollars
  kHours,  // nanoseconds; shown in hours
  kRatio,  // 10^-9
  kWord,   // index of one of the measure's words
};

// A column of runs.csv.
struct Measure {
  enum class Summary { kNone, kMean, kDistribution };

  std::string name;  // "makespan"; its column is "makespan_h"
  Unit unit = Unit::kCount;
  Summary summary = Summary::kNone;  // its statistics in summary.csv
  bool headline = false;             // its mean is also in the printed summary
  std::vector<std::string> words{};

  std::string column() const;  // the name with its unit
};
// The value of a measure that a run does not have.
inline constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

// The first measures of every grid: 0 or 1, 0 or 1, money, money, time. An unfinished run counts as
// late, at its cost so far; only its makespan is left out of the summary. The baseline is the cost
// of the job on demand without checkpoints; savings refer to it.
enum CommonMeasure : std::size_t { kFinished, kDeadlineMet, kCost, kBaseline, kMakespan };
std::vector<Measure> common_measures();

// One of a grid's three axes. Each of its points has a text for each column.
struct Axis {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> points;
  // The number of leading columns that are equal for all points. Files have them; printed tables do
  // not.
  std::size_t shared = 0;

  std::int64_t size() const { return static_cast<std::int64_t>(points.size()); }
};
// "trainer.policy=epoch seed=7", without the shared columns. A single column has no name.
std::string describe(const Axis& axis, std::int64_t point);

// The cases of one market or trace. A grid with seeds as cases has no groups.
struct CaseGroup {
  std::string name;  // "us-west-2a_v100_1"
  std::vector<std::size_t> cases;
  // Pools side by side, in order; none if a run has only one. Their common type, if known.
  std::vector<std::string> pools{};
  std::string instance_type{};
};

struct Grid {
  Axis settings, cases, variants;
  std::vector<CaseGroup> groups{};  // a partition of all cases, or none
  // Position of each case in its group's trace; none: all kApart.
  std::vector<ticks::WindowOrigin> places{};
  std::vector<Measure> measures;
  std::int64_t runs_a_block = 1;  // computed and stored together; divides the runs of a setting
  std::optional<std::size_t> bound{};  // the variant that bounds all others' costs from below
  // The variant from which others close the gap to the bound, and the measure that the bound uses
  // best.
  std::optional<std::size_t> reference{}, utilisation{};
  std::optional<std::size_t> expected_makespan{};  // the measure with the mean by a formula
  // The axes of pictures, per setting if there are any: the checkpoint interval (a measure), its
  // optimum by formula, the deadline, and the setting's text without the deadline.
  std::optional<std::size_t> interval{};
  std::vector<double> best_interval_h{}, deadline_h{};
  std::vector<std::string> but_for_deadline{};
  std::vector<RunPolicies> run_policies{};  // for the runs (setting · variants + variant)
  double late_allowed = 0;  // the share of late runs that does not lower a variant's rank

  // The number of runs. A run's number is (setting · cases + case) · variants + variant.
  std::int64_t runs() const { return settings.size() * cases.size() * variants.size(); }
  std::int64_t blocks() const { return runs() / runs_a_block; }
  std::int64_t setting_of(std::int64_t run) const { return run / variants.size() / cases.size(); }
  std::int64_t case_of(std::int64_t run) const { return run / variants.size() % cases.size(); }
  std::int64_t variant_of(std::int64_t run) const { return run % variants.size(); }
};

// Rows in contiguous memory: each has its run and its measures.
class Rows {
 public:
  explicit Rows(std::size_t measures) : width_(measures + 1) {}

  std::size_t size() const { return cells_.size() / width_; }
  std::int64_t run(std::size_t row) const { return cells_[row * width_]; }
  std::span<const std::int64_t> measures(std::size_t row) const {
    return std::span(cells_).subspan(row * width_ + 1, width_ - 1);
  }
  // Appends a row with kNothing in all measures, and returns the measures.
  std::span<std::int64_t> add(std::int64_t run);

  // run, measures…, run, measures…: the form in which processes exchange rows.
  std::vector<std::int64_t>& cells() { return cells_; }
  const std::vector<std::int64_t>& cells() const { return cells_; }

  // AWS actions that process guests called in these runs and that spotsim does not have, such as
  // "ssm SendCommand". Stores and processes of an MPI job do not keep them.
  std::set<std::string> missing_actions;

 private:
  std::size_t width_;
  std::vector<std::int64_t> cells_;
};

// Identifies everything that determines a sweep's results.
struct Fingerprint {
  std::string hash;  // hexadecimal; equal hashes mean equal rows
  Rows rows;         // rows of blocks that were run to compute it
};

// A kind of sweep defines the runs. It must give equal rows on all threads and processes that share
// the work.
class Sweep {
 public:
  virtual ~Sweep() = default;

  const Grid& grid() const { return grid_; }
  // From 0 to 1. It changes no rows.
  void allow_late(double share) { grid_.late_allowed = share; }
  // Computed at the first call.
  const Fingerprint& fingerprint() const;
  // The rows of these blocks, in order. Several threads call it at once, unless each call needs a
  // process of its own.
  virtual Rows run(std::span<const std::int64_t> blocks) const = 0;
  // True for runs that take seconds and pin their process to a CPU: run_in_children(), not threads.
  virtual bool needs_processes() const { return false; }
  // A signal handler sets `stop` to end such runs early. run() then throws.
  virtual void stop_on(const std::atomic<bool>&) {}
  // A message for each run with an unexpected end, with the command that repeats it.
  virtual std::vector<std::string> failures(const Rows&) const { return {}; }
  // The command that repeats this run alone; empty if none does.
  virtual std::string replay(std::int64_t) const { return {}; }

 protected:
  virtual Fingerprint make_fingerprint() const = 0;

  Grid grid_;

 private:
  mutable std::once_flag made_;
  mutable std::optional<Fingerprint> fingerprint_;
};

}  // namespace sim::sweep
