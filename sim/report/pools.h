// Price and capacity of each pool over the time of a run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/events/event.h"
#include "sim/report/axis.h"

namespace sim::report {

class Pools {
 public:
  void take(const Event& event);
  // Pools with an instance of the run come first. Both groups are sorted by name.
  Json all(const std::vector<std::string>& used, const Axis& axis) const;

 private:
  struct Pool {
    std::vector<std::pair<Time, double>> prices;                      // dollars an hour
    std::vector<std::pair<Time, std::optional<std::int64_t>>> slots;  // empty: unlimited
  };
  std::map<std::string, Pool> pools_;
};

}  // namespace sim::report
