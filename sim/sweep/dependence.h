// The 95 % interval of a mean over cases that are not independent: windows of one trace overlap,
// and those of one market are alike. Each share of them is resampled as a whole, by a bootstrap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

// How an interval was found, or why there is none.
enum class IntervalKind {
  kStudent,        // Student's t: the cases are independent
  kBlocks,         // bootstrap of blocks of the market's trace
  kMarkets,        // bootstrap of markets
  kTooFewRuns,     // one case
  kTooFewBlocks,   // fewer than kFewestClusters
  kTooFewMarkets,  // the same
  kNoStarts,       // nobody says where in their trace the windows start
};
// "student-t", "blocks", …: as summary.csv writes it.
const char* name_of(IntervalKind kind);

// An interval from fewer would be of luck.
inline constexpr std::int64_t kFewestClusters = 5;

// A number that a case has.
struct Observation {
  std::size_t of_case;
  double value;
};

// How the cases of a group depend on one another.
//
// Of one market: where windows may overlap, the time in which they start is cut into equal blocks,
// none shorter than a window and at most 200, and a window belongs to the block that it starts in.
// So only neighbours share time. Of several markets each is a cluster.
//
// The half width is t(clusters − 1; 0.975) · √(v · f), v the variance of the mean (sum ÷ count)
// over 2000 resamples of clusters, and f what v is too small by: n ÷ (n − 1) for markets (Cameron,
// Gelbach, Miller, "Bootstrap-Based Improvements for Inference with Clustered Errors", 2008); for
// blocks, the variance of the windows' mean ÷ that which clusters find, both for a trace whose
// instants are independent, where two windows' covariance is the time that they share.
class Dependence {
 public:
  // Of the cases of this group of the grid, else of all.
  Dependence(const Grid& grid, std::optional<std::size_t> group);

  IntervalKind kind() const { return kind_; }
  // Independent cases, blocks or markets.
  std::int64_t clusters() const { return clusters_; }
  // Of the mean; none where too few clusters have a value, or for one of the reasons above.
  std::optional<double> half_width_95(std::span<const Observation> values) const;

 private:
  void into_blocks(const Grid& grid, const std::vector<std::size_t>& cases);
  void into_markets(const Grid& grid);
  void resample();
  double correction(std::span<const Observation> values) const;

  IntervalKind kind_ = IntervalKind::kStudent;
  std::int64_t clusters_ = 0;
  std::vector<std::size_t> cluster_;      // of each of the grid's cases
  std::vector<double> from_;              // of each of the grid's cases; hours
  double length_ = 0;                     // of the longest window; hours
  std::vector<std::uint32_t> resamples_;  // how often each cluster is in each
};

}  // namespace sim::sweep
