// A training by several processes: rank 0 runs it as if alone and writes all files; the others
// follow it step by step.
#pragma once

#include <optional>

#include "trainer/gang/communicator.h"
#include "trainer/loop/train.h"
#include "trainer/loop/trainer.h"
#include "trainer/spot/notice.h"

namespace spottrain {

// Every rank continues from where rank 0 is. Throws std::invalid_argument on a rank whose options,
// model or data differ from rank 0's.
void share_state(Trainer& trainer, Communicator& gang);

// What a process is told from outside between its steps.
struct Told {
  std::optional<Notice> notice;
  bool rebalance = false;
};
// What any rank is told, on every rank the same but for the reason: the earliest end that one of
// them was given, and a recommendation to any. Another's notice is "rank 3".
Told agree(Communicator& gang, const Told& own);

// What the ranks after 0 do, until rank 0 has finished or all stop.
ExitCode follow(const TrainRequest& request, Communicator& gang);

}  // namespace spottrain
