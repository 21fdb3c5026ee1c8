// The timeline of a running world: all changes since a given line of its log. `spotsim serve --ui`
// sends these changes to its pages.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/report/axis.h"
#include "sim/report/curve.h"
#include "sim/report/lanes.h"
#include "sim/report/log_lines.h"
#include "sim/report/market_history.h"
#include "sim/report/marks.h"
#include "sim/result/history.h"

namespace sim::report {

// Follows a log and answers each page's request for updates. It keeps lanes, marks, pools and the
// training curve, and for each the last line that changed it. It stores no texts: since() reads
// cited lines through `line_at`.
class LiveReport {
 public:
  // Follows the log from its first line. For each event, `history` must be updated before this
  // class. `history` must outlive it.
  LiveReport(events::Listeners& log, const result::History& history);

  // The number of lines in the log so far.
  LineNumber lines() const { return line_; }

  // Reads bytes of the log: one line without its line feed.
  using LineAt = std::function<std::string(std::uint64_t offset, std::size_t length)>;
  // Returns the lanes, marks and pools that changed after line `after`, and the texts of the lines
  // that they cite. The key `training` is present only if a trainer has reported something since. A
  // lane has `open` if its last span has not ended. docs/report.md describes the other keys.
  Json since(LineNumber after, Time now, const LineAt& line_at) const;

 private:
  const result::History& history_;
  std::vector<std::uint64_t> offsets_{0};  // the begin of each line, and of the next one
  Lanes lanes_;
  MarketHistory market_;
  Curve curve_;
  std::vector<Mark> marks_;                 // sorted by line
  std::map<std::string, LineNumber> used_;  // line of the first instance of each pool
  LineNumber line_ = 0, last_of_trainers_ = 0;
};

}  // namespace sim::report
