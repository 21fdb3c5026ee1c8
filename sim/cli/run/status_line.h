// The line on a terminal that says where a run is: virtual time, step, state, cost so far.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "sim/events/listeners.h"
#include "sim/market/usd.h"
#include "sim/result/history.h"

namespace sim::cli {

class StatusLine {
 public:
  // Of a run that begins at this virtual instant. Shows nothing when stderr is no terminal.
  explicit StatusLine(Time start);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // It must outlive the log's listeners (sim/result/listen.h).
  void listen(events::Listeners& log, const run::History& history,
              std::function<market::Usd()> cost);
  void clear();

 private:
  void draw_again(Time now);
  void draw(Time now);

  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
  Time start_;
  std::string state_ = "starting";
  const run::History* history_ = nullptr;
  std::function<market::Usd()> cost_;
};

}  // namespace sim::cli
