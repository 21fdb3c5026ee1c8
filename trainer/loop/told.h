// What a training is told from outside while it runs: by signals, files and instance metadata, to
// any of its processes.
#pragma once

#include <cstdint>
#include <optional>

#include "trainer/gang/communicator.h"
#include "trainer/spot/interruption_watch.h"
#include "trainer/spot/notice.h"

namespace spottrain {

struct Told {
  std::optional<Notice> notice;
  bool rebalance = false;
};

// What any rank is told, on every rank the same but for the reason: the earliest end that one of
// them was given, and a recommendation to any. Another's notice is "rank 3".
Told agree(Communicator& gang, const Told& own);

// A process's ears. Failures of its sources are told on stderr, and so is why a rank after 0 is to
// stop, as rank 0 hears no reason. The ranks of a gang must ask together.
class Outside {
 public:
  // `gang` is null for a process alone. After `max_steps` steps it is told to stop, too.
  Outside(InterruptionSources sources, std::optional<std::int64_t> max_steps, Communicator* gang);

  // `steps` have been done by this process.
  Told after_step(std::int64_t steps) { return heard(max_steps_ == steps); }
  Told between_batches() { return heard(false); }  // of an evaluation

 private:
  Told heard(bool last_step);
  InterruptionSources reporting(InterruptionSources sources) const;
  bool follows() const { return gang_ != nullptr && gang_->rank() != 0; }

  std::optional<std::int64_t> max_steps_;
  Communicator* const gang_;
  InterruptionWatch watch_;
  bool said_ = false;
};

}  // namespace spottrain
