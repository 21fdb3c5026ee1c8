// What every sweep has: a grid of runs, and a row of whole numbers for each. The runs are those of
// all settings, cases and variants; all variants of a setting meet the same cases (windows of a
// trace, seeds), so that they can be compared pair by pair.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/run_policies.h"
#include "sim/ticks/window_origin.h"

namespace sim::sweep {

// The unit of a measure's whole numbers, and how tables show it.
enum class Unit {
  kCount,
  kUsd,    // 10^-9 dollars; shown in dollars
  kHours,  // nanoseconds; shown in hours
  kRatio,  // 10^-9
  kWord,   // which of the measure's words
};

// A column of runs.csv.
struct Measure {
  enum class Summary { kNone, kMean, kDistribution };

  std::string name;  // "makespan"; its column is "makespan_h"
  Unit unit = Unit::kCount;
  Summary summary = Summary::kNone;  // what summary.csv says of it
  bool headline = false;             // its mean is also in the summary that is printed
  std::vector<std::string> words{};

  std::string column() const;  // the name with its unit
};
// A measure that a run does not have.
inline constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

// Every grid's first measures: 0 or 1, the same, money, money, time. A run that did not finish is
// late, at its cost so far; only its makespan does not count in the summary. The baseline is the
// job on demand without checkpoints: what savings refer to.
enum CommonMeasure : std::size_t { kFinished, kDeadlineMet, kCost, kBaseline, kMakespan };
std::vector<Measure> common_measures();

// One of a grid's three directions: points, each told by a text for each of the columns.
struct Axis {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> points;
  // The first columns that all points share: files have them, what is printed does not.
  std::size_t shared = 0;

  std::int64_t size() const { return static_cast<std::int64_t>(points.size()); }
};
// "trainer.policy=epoch seed=7", without the shared columns; a column alone needs no name.
std::string describe(const Axis& axis, std::int64_t point);

// The cases of one market or trace. A grid whose cases are seeds has no groups.
struct CaseGroup {
  std::string name;  // "us-west-2a_v100_1"
  std::vector<std::size_t> cases;
  // Pools side by side, in their order; none where a run has but one. Their type, if known and one.
  std::vector<std::string> pools{};
  std::string instance_type{};
};

struct Grid {
  Axis settings, cases, variants;
  std::vector<CaseGroup> groups{};     // all cases, each in one; or none
  std::vector<WindowOrigin> places{};  // of the cases in their groups' traces; none: all kApart
  std::vector<Measure> measures;
  std::int64_t runs_a_block = 1;       // computed and kept together; divides the runs of a setting
  std::optional<std::size_t> bound{};  // the variant that no other can be cheaper than
  // The variant that others are to come closer to the bound than, and the measure of which the
  // bound makes the best use.
  std::optional<std::size_t> reference{}, utilisation{};
  std::optional<std::size_t> expected_makespan{};  // the measure with its mean by a formula
  // What pictures are drawn over, of each setting where there are any: the time between checkpoints
  // (a measure), its optimum by formula, the deadline, and the setting's text without it.
  std::optional<std::size_t> interval{};
  std::vector<double> best_interval_h{}, deadline_h{};
  std::vector<std::string> but_for_deadline{};
  std::vector<RunPolicies> run_policies{};  // of the runs (setting · variants + variant)
  double late_allowed = 0;  // the share of a variant's runs that may be late at no loss of rank

  // Of the run (setting · cases + case) · variants + variant.
  std::int64_t runs() const { return settings.size() * cases.size() * variants.size(); }
  std::int64_t blocks() const { return runs() / runs_a_block; }
  std::int64_t setting_of(std::int64_t run) const { return run / variants.size() / cases.size(); }
  std::int64_t case_of(std::int64_t run) const { return run / variants.size() % cases.size(); }
  std::int64_t variant_of(std::int64_t run) const { return run % variants.size(); }
};

// Rows in one piece of memory: of each its run and the measures.
class Rows {
 public:
  explicit Rows(std::size_t measures) : width_(measures + 1) {}

  std::size_t size() const { return cells_.size() / width_; }
  std::int64_t run(std::size_t row) const { return cells_[row * width_]; }
  std::span<const std::int64_t> measures(std::size_t row) const {
    return std::span(cells_).subspan(row * width_ + 1, width_ - 1);
  }
  // Appends a row, with kNothing as its measures, and gives them.
  std::span<std::int64_t> add(std::int64_t run);

  // run, measures…, run, measures…: as processes send them to each other.
  std::vector<std::int64_t>& cells() { return cells_; }
  const std::vector<std::int64_t>& cells() const { return cells_; }

 private:
  std::size_t width_;
  std::vector<std::int64_t> cells_;
};

// What decides a sweep's results.
struct Fingerprint {
  std::string hash;  // equal hashes, equal rows; hexadecimal
  Rows rows;         // of blocks that had to be run for it
};

// A kind of sweep: what its runs are. Equal for all threads and processes that share the work.
class Sweep {
 public:
  virtual ~Sweep() = default;

  const Grid& grid() const { return grid_; }
  // From 0 to 1; of no row's concern.
  void allow_late(double share) { grid_.late_allowed = share; }
  // Made at the first call.
  const Fingerprint& fingerprint() const;
  // The rows of these blocks, in their order. Called from several threads at once.
  virtual Rows run(std::span<const std::int64_t> blocks) const = 0;
  // A message for each run with an unexpected end, and the command for a replay.
  virtual std::vector<std::string> failures(const Rows&) const { return {}; }
  // The command that makes this run again by itself; empty if no command does.
  virtual std::string replay(std::int64_t) const { return {}; }

 protected:
  virtual Fingerprint make_fingerprint() const = 0;

  Grid grid_;

 private:
  mutable std::once_flag made_;
  mutable std::optional<Fingerprint> fingerprint_;
};

}  // namespace sim::sweep
