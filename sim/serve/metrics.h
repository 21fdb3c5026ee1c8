// The metrics of a served cloud, which Prometheus reads at /metrics.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "sim/cloud/cloud.h"
#include "sim/events/listeners.h"
#include "sim/result/history.h"

namespace sim::serve {

// Counts events of the log for Prometheus. The gauges are computed from the cloud at each request.
class Metrics {
 public:
  // Listens to the log. `history` must be up to date with an event before this object receives it.
  Metrics(events::Listeners& log, const result::History& history);

  // All metrics in Prometheus' text format. Counters begin at zero with each world.
  // `cost`: the bill of all regions. The other gauges are the first region's.
  std::string text(cloud::Cloud& cloud, market::Usd cost) const;

 private:
  // Also compares with std::string_view.
  struct Less {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), std::less<>());
    }
  };
  // A counter for each combination of label values. The number of values is bounded, so that a
  // client cannot make any number of time series.
  template <std::size_t kLabels>
  using Counts = std::map<std::array<std::string, kLabels>, std::uint64_t, Less>;

  void call(const events::ApiCall& event);
  // The instance's type and zone; both are empty for an unknown ID.
  std::array<std::string, 2> pool_of(std::string_view instance) const;

  const result::History& history_;
  Counts<4> interruptions_;  // type, zone, reason, notice
  Counts<2> notices_, rebalances_;
  Counts<3> calls_;  // service, action, result
  Counts<1> metadata_;
  Counts<2> control_;
  std::uint64_t events_ = 0;
};

}  // namespace sim::serve
