// Waiting for what AWS does: for a state to come, and for errors to pass.
#pragma once

#include <algorithm>

#include "orchestrator/aws/client.h"
#include "orchestrator/context.h"

namespace spotrun {

// Waits for a state of a volume, snapshot or instance: every 5 s in the first minute, then every 15
// s.
class Poll {
 public:
  // The first look begins now. `patience` is a time waited at which a look may be taken otherwise.
  explicit Poll(Clock& clock, Duration patience = Duration::max())
      : clock_(clock), begin_(clock.now()), patience_(patience) {
    clock.look();
  }
  void wait() { clock_.sleep(interval(waited())); }
  // The same after a look of which nothing is remembered, so that another one before something
  // changes would be of no use.
  void wait_for_change() {
    const Duration so_far = waited();
    Duration until = so_far < kBegin ? kBegin : Duration::max();
    if (so_far < patience_) until = std::min(until, patience_);
    clock_.sleep_between_looks(interval(so_far),
                               until == Duration::max() ? Time::max() : begin_ + until);
  }
  Duration waited() const { return clock_.now() - begin_; }

 private:
  static constexpr Duration kBegin{60'000};
  static Duration interval(Duration waited) {
    return waited < kBegin ? Duration{5'000} : Duration{15'000};
  }

  Clock& clock_;
  Time begin_;
  Duration patience_;
};

// For steps that nobody takes up after us when they fail: what `call` returns. Called again, 15 s
// apart and ten times in all, while AWS answers with errors that can pass (beyond the retries of
// each request); throws the last one then.
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
