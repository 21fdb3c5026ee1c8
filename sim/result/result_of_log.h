// Computes a run's result, either while the run writes its log or later from the log's file.
#pragma once

#include <filesystem>
#include <span>

#include "sim/events/event.h"
#include "sim/events/listeners.h"
#include "sim/result/history_builder.h"
#include "sim/result/invariants/invariants.h"
#include "sim/result/outcome.h"
#include "sim/result/result.h"

namespace sim::result {

class ResultOfLog {
 public:
  explicit ResultOfLog(const InvariantRules& rules) : invariants_(rules, builder_.history()) {}
  ResultOfLog(const ResultOfLog&) = delete;
  ResultOfLog& operator=(const ResultOfLog&) = delete;

  // The object must outlive the log's listeners. They throw the errors of HistoryBuilder, and
  // std::runtime_error if the first line is not run.start.
  void listen(events::Listeners& log);
  // The outcome so far, for a run that has not written run.end yet.
  const Outcome& outcome() const { return outcome_; }
  const History& history() const { return builder_.history(); }
  // Call it once, after the last event. The result has no plan and no expectations, because a log
  // has neither.
  Result result();

 private:
  bool begun_ = false;
  HistoryBuilder builder_;
  Outcome outcome_{builder_.history()};
  Invariants invariants_;
};

// The result of a complete log. Throws std::runtime_error if it does not begin with run.start.
Result result_of(std::span<const Event> events, const InvariantRules& rules = {});
// The result of an events.jsonl, read line by line. Throws std::runtime_error "file:line: …", also
// if the log has no run.end.
Result result_of(const std::filesystem::path& file, const InvariantRules& rules = {});

}  // namespace sim::result
