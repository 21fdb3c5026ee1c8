// Collects signals, files and instance metadata of all processes of a running training.
#pragma once

#include <cstdint>
#include <optional>

#include "trainer/gang/communicator.h"
#include "trainer/spot/interruption_watch.h"
#include "trainer/spot/notice.h"

namespace spottrain {

struct InterruptionSignals {
  std::optional<Notice> notice;
  bool rebalance = false;
};

// Combines the news of all ranks: the earliest end, and whether any rank got a recommendation. The
// result is the same on every rank, except for the reason. The reason for another rank's notice is
// "rank 3".
InterruptionSignals agree(Communicator& gang, const InterruptionSignals& own);

// Collects the signals of one process. Errors of its sources are printed on stderr. Ranks other
// than 0 also print why they stop, because rank 0 does not get the reason. The ranks of a gang must
// call it together.
class Outside {
 public:
  // `gang` is null for a single process. The training also stops after `max_steps` steps.
  Outside(InterruptionSources sources, std::optional<std::int64_t> max_steps, Communicator* gang);

  // `steps` is the number of steps that this process has done.
  InterruptionSignals after_step(std::int64_t steps) { return heard(max_steps_ == steps); }
  InterruptionSignals between_batches() { return heard(false); }  // during an evaluation

 private:
  InterruptionSignals heard(bool last_step);
  InterruptionSources reporting(InterruptionSources sources) const;
  bool follows() const { return gang_ != nullptr && gang_->rank() != 0; }

  std::optional<std::int64_t> max_steps_;
  Communicator* const gang_;
  InterruptionWatch watch_;
  bool said_ = false;
};

}  // namespace spottrain
