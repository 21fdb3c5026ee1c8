// What every step works with: the seams, and AWS through them.
#pragma once

#include <algorithm>
#include <string>

#include "orchestrator/aws/ec2.h"
#include "orchestrator/aws/imds.h"
#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/log.h"
#include "orchestrator/seams/machine.h"

namespace spotrun {

struct Context {
  Clock& clock;
  Log& log;
  aws::Ec2& ec2;
};

// What an instance has beyond that.
struct InstanceContext : Context {
  Machine& machine;
  aws::Imds& imds;
};

// Who we are (IMDS's instance identity document).
struct Identity {
  std::string instance_id, instance_type, availability_zone, region;
};
// Throws ImdsError, Failure(kAws) for a document that lacks one of them.
Identity identify(aws::Imds& imds);

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

}  // namespace spotrun
