// A run's result, computed while its log is told or from a file of it.
#pragma once

#include <filesystem>
#include <span>

#include "sim/events/event.h"
#include "sim/events/listeners.h"
#include "sim/result/history_builder.h"
#include "sim/result/invariants/invariants.h"
#include "sim/result/outcome.h"
#include "sim/result/result.h"

namespace sim::run {

class ResultOfLog {
 public:
  explicit ResultOfLog(const InvariantRules& rules) : invariants_(rules, builder_.history()) {}
  ResultOfLog(const ResultOfLog&) = delete;
  ResultOfLog& operator=(const ResultOfLog&) = delete;

  // It must outlive the log's listeners, which throw as HistoryBuilder's do. They throw
  // std::runtime_error where the first line is not run.start, too.
  void listen(events::Listeners& log);
  // How the run ends, while it goes on: run.end is not written yet.
  const Outcome& outcome() const { return outcome_; }
  const History& history() const { return builder_.history(); }
  // Once, when the log is over: all but the plan and the expectations, which a log does not have.
  Result result();

 private:
  bool begun_ = false;
  HistoryBuilder builder_;
  Outcome outcome_{builder_.history()};
  Invariants invariants_;
};

// Of all of a log. Throws std::runtime_error where it does not begin with run.start.
Result result_of(std::span<const Event> events, const InvariantRules& rules = {});
// Of an events.jsonl, which is read line by line. Throws std::runtime_error "file:line: …", also
// where the log has no run.end.
Result result_of(const std::filesystem::path& file, const InvariantRules& rules = {});

}  // namespace sim::run
