// Price and capacity of each pool over the time of a run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/report/axis.h"
#include "sim/report/log_lines.h"

namespace sim::report {

class MarketHistory {
 public:
  // `line` is the number of the event's line while the listeners are called. Both must outlive
  // this.
  void listen(events::Listeners& log, const LineNumber& line);
  // Pools with an instance of the run come first. Both groups are sorted by name.
  Json all(const std::vector<std::string>& used, const Axis& axis) const;
  // The pools that changed after line `after`, or that the run first used after that line. `used`
  // maps each pool to the line of its first use.
  Json since(LineNumber after, const std::map<std::string, LineNumber>& used,
             const Axis& axis) const;

 private:
  struct Pool {
    LineNumber last = 0;                          // the last line that changed it
    std::vector<std::pair<Time, double>> prices;  // dollars an hour
    std::vector<std::pair<Time, std::optional<std::int64_t>>> slots;  // empty: unlimited
  };
  Pool& changed_pool(std::string_view type, std::string_view zone, LineNumber line);
  static Json to_json(const std::string& name, const Pool& pool, bool used, const Axis& axis);

  std::map<std::string, Pool> pools_;
};

}  // namespace sim::report
