// Waiting for what AWS does: for a state to come, and for errors to pass.
#pragma once

#include <utility>

#include "orchestrator/aws/client.h"
#include "orchestrator/context.h"

namespace spotrun {

// Waits for a state of a volume, snapshot or instance: every 5 s in the first minute, then every 15
// s.
class Poll {
 public:
  // The first look begins now.
  explicit Poll(Clock& clock) : clock_(clock), begin_(clock.now()) { clock.look(); }
  void wait() { clock_.sleep(interval(since_begin())); }
  // The same after a look of which nothing is remembered: another look before something changes
  // would be of no use, and a simulated clock skips it. A caller that has asked how long it has
  // waited may give up at the next look, so that look is made.
  void wait_for_change() {
    const Duration so_far = since_begin();
    if (std::exchange(asked_, false)) {
      clock_.sleep(interval(so_far));
      clock_.look();
    } else {
      const Time until = so_far < kBegin ? begin_ + kBegin : Time::max();
      clock_.sleep_between_looks(interval(so_far), until);
    }
  }
  Duration waited() {
    asked_ = true;
    return since_begin();
  }

 private:
  static constexpr Duration kBegin{60'000};
  static Duration interval(Duration waited) {
    return waited < kBegin ? Duration{5'000} : Duration{15'000};
  }
  Duration since_begin() const { return clock_.now() - begin_; }

  Clock& clock_;
  Time begin_;
  bool asked_ = false;  // waited() was called since the last look
};

// For steps that no other instance repeats if they fail: returns the result of `call`. While AWS
// answers with errors that can pass, beyond the retries of each request, `call` is made again, 15 s
// apart and ten times in all. Then the last error is thrown.
template <class Call>
auto patiently(const Context& context, Call call) {
  for (int tries = 1;; ++tries) {
    try {
      return call();
    } catch (const aws::ApiError& error) {
      if (!error.transient() || tries == 10) throw;
      context.log.say(error.what());
    }
    context.clock.sleep(Duration{15'000});
  }
}

}  // namespace spotrun
