// What EC2 announces through the metadata service.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/context.h"

namespace spotrun {

struct InterruptionNotice {
  std::string action;  // terminate, stop, hibernate
  Time at;             // the instance goes then
};

class Notices {
 public:
  Notices(aws::Imds& imds, Log& log) : imds_(imds), log_(log) {}

  // One look at spot/instance-action, then, until there was one, at the rebalance recommendation,
  // which is only said. Metadata that cannot be read is said and is no notice: a notice only ever
  // makes a trainer stop early.
  std::optional<InterruptionNotice> look(Time now);

 private:
  std::optional<InterruptionNotice> read_action(Time now);

  aws::Imds& imds_;
  Log& log_;
  bool recommended_ = false;
};

}  // namespace spotrun
