// How long a pool's spot capacity lasts, learnt from its past: the Nelson-Aalen estimate (Nelson
// 1972, Aalen 1978).
#pragma once

#include <cstdint>
#include <vector>

namespace policies {

class NelsonAalen {
 public:
  // What the next tick was like.
  void observe(bool there);

  // The expected number of ticks with spot, at most `horizon`. If the pool had spot in the last
  // observed tick, that tick and the following ones count; otherwise its next life does. The
  // estimate is
  //     Σ over k < horizon of e^−(Σ of 1/n(l) over a < l ≤ a + k)
  // with the lives l that ended, the number n(l) of lives that reached l (including the present
  // one), and the age a.
  double expected_left(std::int64_t horizon) const;

 private:
  std::vector<std::int64_t> ended_;  // lives in ticks, ascending
  std::int64_t age_ = 0;             // of the present life, including the last observed tick
};

}  // namespace policies
