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
  explicit Poll(Clock& clock) : clock_(clock), begin_(clock.now()) {}
  void wait() { clock_.sleep(waited() < Duration{60'000} ? Duration{5'000} : Duration{15'000}); }
  Duration waited() const { return clock_.now() - begin_; }

 private:
  Clock& clock_;
  Time begin_;
};

}  // namespace spotrun
