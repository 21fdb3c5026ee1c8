// The status line of a run on a terminal: virtual time, step, state, cost so far.
#pragma once

#include <functional>
#include <string>

#include "sim/cli/terminal/live_line.h"
#include "sim/events/listeners.h"
#include "sim/market/usd.h"
#include "sim/result/history.h"

namespace sim::cli {

class StatusLine {
 public:
  // `start` is the virtual instant at which the run begins.
  explicit StatusLine(Time start) : start_(start) {}

  // It must outlive the log's listeners (sim/result/listen.h).
  void listen(events::Listeners& log, const result::History& history,
              std::function<market::Usd()> cost);
  void clear() { line_.clear(); }

 private:
  void draw_again(Time now);

  LiveLine line_;
  Time start_;
  std::string state_ = "starting";
  const result::History* history_ = nullptr;
  std::function<market::Usd()> cost_;
};

}  // namespace sim::cli
