#include "sim/sweep/dependence.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "sim/kernel/check.h"
#include "sim/kernel/random.h"

namespace sim::sweep {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr double kMostBlocks = 200;

double t_975(double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), 0.975);
}

double hours(Duration d) { return seconds(d) / 3600; }

std::optional<double> students_half_width(std::span<const Observation> values) {
  if (values.size() < 2) return {};
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const Observation& o : values) sum += o.value;
  for (const Observation& o : values) squares += (o.value - sum / n) * (o.value - sum / n);
  return t_975(n - 1) * std::sqrt(squares / (n - 1) / n);
}

// Sums and counts by cluster.
struct Totals {
  std::vector<double> sums, counts;
  double filled() const {
    return static_cast<double>(
        std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0; }));
  }
};

// The variance of Σ sums ÷ Σ counts over the resamples with any case.
double bootstrap_variance(const Totals& of, std::span<const std::uint32_t> resamples) {
  const std::size_t clusters = of.sums.size();
  std::vector<double> means;
  for (std::size_t at = 0; at < resamples.size(); at += clusters) {
    double sum = 0, count = 0;
    for (std::size_t k = 0; k < clusters; ++k) {
      sum += resamples[at + k] * of.sums[k];
      count += resamples[at + k] * of.counts[k];
    }
    if (count > 0) means.push_back(sum / count);
  }
  const auto n = static_cast<double>(means.size());
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
  double squares = 0;
  for (const double m : means) squares += (m - mean) * (m - mean);
  return squares / (n - 1);
}

}  // namespace

const char* name_of(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::kStudent:
      return "student-t";
    case IntervalKind::kBlocks:
      return "blocks";
    case IntervalKind::kMarkets:
      return "markets";
    case IntervalKind::kTooFewRuns:
      return "too few runs";
    case IntervalKind::kTooFewBlocks:
      return "too few blocks";
    case IntervalKind::kTooFewMarkets:
      return "too few markets";
    case IntervalKind::kNoStarts:
      return "starts not known";
  }
  return "";
}

Dependence::Dependence(const Grid& grid, std::optional<std::size_t> group) {
  using Kind = ticks::WindowOrigin::Kind;
  std::vector<std::size_t> cases(static_cast<std::size_t>(grid.cases.size()));
  std::iota(cases.begin(), cases.end(), 0);
  if (group) cases = grid.groups[*group].cases;
  clusters_ = std::ssize(cases);
  cluster_.assign(static_cast<std::size_t>(grid.cases.size()), 0);
  const auto any = [&](Kind kind) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](std::size_t c) { return grid.places.at(c).kind == kind; });
  };
  if (!group && grid.groups.size() > 1)
    into_markets(grid);
  else if (!grid.places.empty() && any(Kind::kUnknown))
    kind_ = IntervalKind::kNoStarts, clusters_ = 1;
  else if (!grid.places.empty() && any(Kind::kInTrace))
    into_blocks(grid, cases);
  else if (clusters_ < 2)
    kind_ = IntervalKind::kTooFewRuns;
  if (kind_ == IntervalKind::kBlocks || kind_ == IntervalKind::kMarkets) resample();
}

void Dependence::into_markets(const Grid& grid) {
  clusters_ = std::ssize(grid.groups);
  kind_ = clusters_ < kFewestClusters ? IntervalKind::kTooFewMarkets : IntervalKind::kMarkets;
  for (std::size_t g = 0; g < grid.groups.size(); ++g)
    for (const std::size_t c : grid.groups[g].cases) cluster_[c] = g;
}

void Dependence::into_blocks(const Grid& grid, const std::vector<std::size_t>& cases) {
  from_.assign(cluster_.size(), 0);
  for (const std::size_t c : cases) {
    from_[c] = hours(grid.places[c].from);
    length_ = std::max(length_, hours(grid.places[c].length));
  }
  const auto earlier = [&](std::size_t a, std::size_t b) { return from_[a] < from_[b]; };
  const auto [first, last] = std::minmax_element(cases.begin(), cases.end(), earlier);
  const double begin = from_[*first], whole = from_[*last] - begin;
  const double blocks = std::clamp(std::floor(whole / length_), 1.0, kMostBlocks);
  for (const std::size_t c : cases)
    if (whole > 0)
      cluster_[c] = static_cast<std::size_t>(
          std::min(blocks - 1, std::floor((from_[c] - begin) / whole * blocks)));
  clusters_ = static_cast<std::int64_t>(blocks);
  kind_ = clusters_ < kFewestClusters ? IntervalKind::kTooFewBlocks : IntervalKind::kBlocks;
}

// All variants and measures use the same resamples.
void Dependence::resample() {
  const auto clusters = static_cast<std::size_t>(clusters_);
  Stream stream = Streams(1).stream("sweep-bootstrap");
  resamples_.assign(kResamples * clusters, 0);
  for (std::size_t at = 0; at < resamples_.size(); at += clusters)
    for (std::size_t k = 0; k < clusters; ++k) ++resamples_[at + stream.below(clusters)];
}

// For a trace of independent instants: the variance of the windows' sum divided by the expected
// value of the clusters' Σ (sum − count · mean)².
double Dependence::correction(std::span<const Observation> values) const {
  std::vector<double> at;
  std::vector<std::size_t> block;
  std::vector<Observation> sorted(values.begin(), values.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Observation& a, const Observation& b) {
    return from_[a.of_case] < from_[b.of_case];
  });
  const auto clusters = static_cast<std::size_t>(clusters_);
  std::vector<double> counts(clusters), own(clusters), next(clusters), sums{0};
  for (const Observation& o : sorted) {
    at.push_back(from_[o.of_case]);
    block.push_back(cluster_[o.of_case]);
    sums.push_back(sums.back() + at.back());
  }
  // The time that window i shares with the windows [low, high), which start after it.
  const auto shared = [&](std::size_t i, std::size_t low, std::size_t high) {
    return static_cast<double>(high - low) * (at[i] + length_) - (sums[high] - sums[low]);
  };
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto begin = at.begin() + static_cast<std::ptrdiff_t>(i);
    const auto reach =
        static_cast<std::size_t>(std::lower_bound(begin, at.end(), at[i] + length_) - at.begin());
    const auto end_of_block = static_cast<std::size_t>(
        std::upper_bound(block.begin(), block.end(), block[i]) - block.begin());
    const std::size_t inside = std::min(reach, end_of_block);
    counts[block[i]] += 1;
    own[block[i]] += length_ + 2 * shared(i, i + 1, std::max(i + 1, inside));
    if (reach > inside) next[block[i]] += shared(i, inside, reach);
  }
  const double all = std::accumulate(own.begin(), own.end(), 0.0) +
                     2 * std::accumulate(next.begin(), next.end(), 0.0);
  const auto n = static_cast<double>(at.size());
  double found = 0;
  for (std::size_t k = 0; k < clusters; ++k) {
    const double with_all = own[k] + next[k] + (k > 0 ? next[k - 1] : 0), share = counts[k] / n;
    found += own[k] - 2 * share * with_all + share * share * all;
  }
  return all / found;
}

std::optional<double> Dependence::half_width_95(std::span<const Observation> values) const {
  if (kind_ == IntervalKind::kStudent) return students_half_width(values);
  if (resamples_.empty()) return {};
  const auto clusters = static_cast<std::size_t>(clusters_);
  Totals totals{std::vector<double>(clusters), std::vector<double>(clusters)};
  for (const Observation& o : values) {
    totals.sums[cluster_[o.of_case]] += o.value;
    totals.counts[cluster_[o.of_case]] += 1;
  }
  const double filled = totals.filled();
  if (filled < kFewestClusters) return {};
  const double factor = kind_ == IntervalKind::kBlocks ? correction(values) : filled / (filled - 1);
  return t_975(filled - 1) * std::sqrt(bootstrap_variance(totals, resamples_) * factor);
}

}  // namespace sim::sweep
