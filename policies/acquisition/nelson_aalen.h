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

  // Of a pool that has spot in the tick observed last: the ticks, that one included, for which it
  // is expected to go on, at most `horizon`; of one that has none, those of its next life. With
  // lives l that ended, n(l) lives that reached l (the one that goes on counts) and age a: Σ over k
  // < horizon of e^−(Σ of 1/n(l) over a < l ≤ a + k).
  double expected_left(std::int64_t horizon) const;

 private:
  std::vector<std::int64_t> ended_;  // lives in ticks, ascending
  std::int64_t age_ = 0;             // of the life that goes on, the tick observed last included
};

}  // namespace policies
