// Waits for AWS: for a state to be reached, and for temporary errors to pass.
#pragma once

#include <utility>

#include "orchestrator/aws/client.h"
#include "orchestrator/context.h"

namespace spotrun {

// Polls every 5 s in the first minute and then every 15 s, until a volume, snapshot or instance has
// a state.
class Poll {
 public:
  // The first poll begins now.
  explicit Poll(Clock& clock) : clock_(clock), begin_(clock.now()) { clock.look(); }
  void wait() { clock_.sleep(interval(since_begin())); }
  // Waits for a change after a poll that found none. A simulated clock skips polls before the
  // change. If the caller has called waited(), it may give up at the next poll, so that poll is not
  // skipped.
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
  bool asked_ = false;  // waited() was called since the last poll
};

// Calls `call` and returns its result. Use this function for steps that no other instance repeats
// after a failure. If AWS answers with temporary errors, beyond the retries of each request, it
// repeats `call` every 15 s, ten times in total. Then it throws the last error.
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
