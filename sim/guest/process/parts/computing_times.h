// When programs of instances computed while virtual time passed for it (spinning_tasks.h), for the
// metric CPUUtilization.
#pragma once

#include <map>
#include <vector>

#include "sim/cloud/ids.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// Owns the times of all instances, also after their ends.
class ComputingTimes {
 public:
  // A program of the instance computed in [from, to). Times come in order; one that another program
  // has already reported adds nothing.
  void add(const cloud::InstanceId& instance, Time from, Time to);
  // The sum within [from, to).
  Duration within(const cloud::InstanceId& instance, Time from, Time to) const;

 private:
  struct Span {
    Time from, to;
  };
  std::map<cloud::InstanceId, std::vector<Span>> spans_;  // in order, without overlap
};

}  // namespace sim::guest
