// Tells that the rest of a run shows a search nothing new: a fault made a script launch instances,
// or repeat a call that fails, again and again. Such a run usually goes on to the scenario's limit,
// which takes minutes of processor time with process guests.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/events/events.h"
#include "sim/events/listeners.h"
#include "sim/kernel/time.h"
#include "sim/result/history.h"
#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"
#include "sim/result/invariants/run_so_far.h"

namespace sim::explore {

// What a run without a fault took, in which nothing is endless.
struct Usual {
  std::size_t launched = 0;  // number of instances of all regions
  Duration makespan{};
};

class EndlessRun {
 public:
  // `usual` must be of the same scenario.
  explicit EndlessRun(Usual usual) : usual_(usual) {}

  // Counts instances. The history must live as long as this is asked.
  void count_instances(const result::History& history) { history_ = &history; }
  // Counts failures of calls: for searches that report a broken retries-bounded. This object and
  // the history must outlive the log's listeners.
  void listen(events::Listeners& log, const result::History& history,
              const result::InvariantRules& rules);

  // True if the run launched 8 instances more than 4 times the usual number, or if it has taken 3
  // times as long as usual and repeats a failing call so often that it broke retries-bounded.
  bool found() const { return launches_too_many() || repeats_; }

  // Why a run that launched so many instances was ended; empty if it was not for that. The other
  // kind of endless run needs no more words than those of the invariant.
  std::string too_many(std::size_t launched) const;

 private:
  bool launches_too_many() const {
    return history_ && history_->instances.size() > most_instances();
  }
  std::size_t most_instances() const;
  void call(const events::ApiCall& event);

  Usual usual_;
  const result::History* history_ = nullptr;
  std::optional<result::RunSoFar> so_far_;
  std::unique_ptr<result::Invariant> retries_;
  int in_a_row_ = 0;                                             // failures that the rules permit
  std::map<std::pair<std::string, std::string>, int> failures_;  // in a row, by caller and action
  std::optional<Time> start_;                                    // of the first call
  bool repeats_ = false;
};

}  // namespace sim::explore
