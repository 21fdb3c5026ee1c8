// Two different prices of a pool at one instant: the prices, and their places in the file.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/traces/price_formats.h"

namespace sim::traces {

// Counts the conflicts of all pools of a file, and keeps the first one for the warning.
class PriceConflicts {
 public:
  // Looks for conflicts in a pool's points, which are in the order of the file.
  void look_at(const market::Pool& pool, const std::vector<market::PricePoint>& points);
  // Adds a warning about the first conflict, with the number of others. The history is in order.
  void tell(const PriceFormat& format, const TraceFile& file, PriceReading& reading) const;

 private:
  struct Conflict {
    market::Pool pool;
    Time at;
  };
  std::optional<Conflict> first_;
  std::size_t count_ = 0;  // conflicting instants of all pools
};

}  // namespace sim::traces
