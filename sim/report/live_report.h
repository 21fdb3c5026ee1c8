// The timeline of a world that goes on: the changes since a line of its log. `spotsim serve --ui`
// sends them to pages.
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

class LiveReport {
 public:
  // Follows the log from its first line. `history` must be up to date with an event before this is
  // called, and must outlive this.
  LiveReport(events::Listeners& log, const result::History& history);

  // The number of lines so far.
  LineNumber lines() const { return line_; }

  // Bytes of the log: a line without its line feed.
  using LineAt = std::function<std::string(std::uint64_t offset, std::size_t length)>;
  // The lanes, marks and pools that lines after `after` have made or changed, and the texts of the
  // lines that they cite. The key `training` is there only if a trainer reported something. A lane
  // has `open` if its last span goes on. docs/report.md describes the other keys.
  Json since(LineNumber after, Time now, const LineAt& line_at) const;

 private:
  const result::History& history_;
  std::vector<std::uint64_t> offsets_{0};  // of each line, and of the next one
  Lanes lanes_;
  MarketHistory market_;
  Curve curve_;
  std::vector<Mark> marks_;                 // in order of their lines
  std::map<std::string, LineNumber> used_;  // pools, by the line of their first instance
  LineNumber line_ = 0, last_of_trainers_ = 0;
};

}  // namespace sim::report
