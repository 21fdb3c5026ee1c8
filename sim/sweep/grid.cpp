#include "sim/sweep/grid.h"

namespace sim::sweep {

std::string Measure::column() const {
  if (unit == Unit::kUsd) return name + "_usd";
  return unit == Unit::kHours ? name + "_h" : name;
}

std::vector<Measure> common_measures() {
  using enum Measure::Summary;
  return {{.name = "finished"},
          {.name = "deadline_met"},
          {.name = "cost", .unit = Unit::kUsd, .summary = kDistribution},
          {.name = "baseline_cost", .unit = Unit::kUsd},
          {.name = "makespan", .unit = Unit::kHours, .summary = kDistribution}};
}

std::string describe(const Axis& axis, std::int64_t point) {
  const auto& texts = axis.points[static_cast<std::size_t>(point)];
  if (texts.size() == axis.shared + 1) return texts.back();
  std::string all;
  for (std::size_t i = axis.shared; i < texts.size(); ++i)
    all += (all.empty() ? "" : " ") + axis.columns[i] + "=" + texts[i];
  return all;
}

std::span<std::int64_t> Rows::add(std::int64_t run) {
  cells_.push_back(run);
  cells_.resize(cells_.size() + width_ - 1, kNothing);
  return std::span(cells_).last(width_ - 1);
}

const Fingerprint& Sweep::fingerprint() const {
  std::call_once(made_, [this] { fingerprint_ = make_fingerprint(); });
  return *fingerprint_;
}

}  // namespace sim::sweep
