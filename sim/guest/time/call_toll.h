// The virtual time that calls cost a guest that makes them without a rest.
//
// A program may wait by polling: `while p.poll() is None: pass`, select() without a timeout, a
// shell loop around a command. None of these calls takes virtual time, so the awaited event would
// never happen. A guest therefore pays for its calls after very many calls without a rest. Each
// call costs more than the previous one, so even a wait of hours ends after some seconds of real
// time. The rule counts only calls: the same program gives the same log.
#pragma once

#include <cstdint>

#include "sim/kernel/time.h"

namespace sim::guest {

// The weight of a call: higher for a call that is probably part of a waiting loop, or that stands
// for much work.
enum class CallWeight : std::int64_t {
  kCall = 1,
  kClock = 3,       // reads a clock
  kQuestion = 10,   // polls and does not wait
  kLentClock = 50,  // stands for up to a thousand clock reads
  kImage = 200,     // a new program
};

class CallToll {
 public:
  // The time that a call costs which the guest makes now.
  Duration of_call(Time now, CallWeight weight);
  // Whether a call that the guest makes now surely costs nothing.
  bool is_free(CallWeight weight) const;
  // The guest's clock is lent, and taken back at `now`. Between the two, the guest's own clock
  // reads move the time.
  void clock_is_lent();
  // So many calls count as made.
  void count(CallWeight weight, std::int64_t calls) {
    total_ += calls * static_cast<std::int64_t>(weight);
  }
  void clock_is_back(Time now) { last_ = now; }

 private:
  std::int64_t total_ = 0;  // the weight of all calls since the last rest
  Time last_;               // when the last call was paid
};

}  // namespace sim::guest
