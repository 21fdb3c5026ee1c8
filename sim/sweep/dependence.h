// The 95 % confidence interval of a mean over cases that depend on each other: windows of one trace
// overlap, and windows of one market are similar. A bootstrap resamples each cluster of dependent
// cases as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

// The method of an interval, or the reason why there is none.
enum class IntervalKind {
  kStudent,        // Student's t: the cases are independent
  kBlocks,         // bootstrap of blocks of the market's trace
  kMarkets,        // bootstrap of markets
  kTooFewRuns,     // one case
  kTooFewBlocks,   // fewer than kFewestClusters
  kTooFewMarkets,  // the same
  kNoStarts,       // the windows' positions in their trace are unknown
};
// The name in summary.csv: "student-t", "blocks", ….
const char* name_of(IntervalKind kind);

// With fewer clusters an interval would be arbitrary.
inline constexpr std::int64_t kFewestClusters = 5;

// The number of one case.
struct Observation {
  std::size_t of_case;
  double value;
};

// How the cases of a group depend on each other.
//
// In one market with overlapping windows, the time of their starts is cut into equal blocks. A
// block is at least as long as a window, and there are at most 200. A window belongs to the block
// in which it starts, so only neighbours share time. With several markets, each market is a
// cluster.
//
// The half width is t(clusters − 1; 0.975) · √(v · f). v is the variance of the mean (sum ÷ count)
// over 2000 resamples of clusters. f corrects its bias. For markets it is n ÷ (n − 1) (Cameron,
// Gelbach, Miller, "Bootstrap-Based Improvements for Inference with Clustered Errors", 2008). For
// blocks it is the variance of the windows' mean divided by the variance that clusters show. Both
// are computed for a trace of independent instants, in which two windows' covariance is the time
// that they share.
class Dependence {
 public:
  // The dependence of the cases of this group, or of all cases without a group.
  Dependence(const Grid& grid, std::optional<std::size_t> group);

  IntervalKind kind() const { return kind_; }
  // Independent cases, blocks or markets.
  std::int64_t clusters() const { return clusters_; }
  // The half width of the mean's interval. Empty if too few clusters have a value, or for a reason
  // above.
  std::optional<double> half_width_95(std::span<const Observation> values) const;

 private:
  void into_blocks(const Grid& grid, const std::vector<std::size_t>& cases);
  void into_markets(const Grid& grid);
  void resample();
  double correction(std::span<const Observation> values) const;

  IntervalKind kind_ = IntervalKind::kStudent;
  std::int64_t clusters_ = 0;
  std::vector<std::size_t> cluster_;      // for each of the grid's cases
  std::vector<double> from_;              // for each of the grid's cases; hours
  double length_ = 0;                     // of the longest window; hours
  std::vector<std::uint32_t> resamples_;  // the count of each cluster in each resample
};

}  // namespace sim::sweep
