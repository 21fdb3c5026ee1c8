// The steps of an instance, for the parts that depend on instances: attachments, spot requests and
// fleets.
//
// Instances calls these functions and knows none of the classes behind them; Cloud decides who
// listens and in which order. Each call comes after the instance's record shows the step.
#pragma once

#include <string>

#include "sim/cloud/billing.h"
#include "sim/cloud/resources.h"

namespace sim::cloud {

class InstanceListener {
 public:
  virtual ~InstanceListener() = default;

  virtual void launched(const Instance&) {}  // it is pending
  virtual void running(const Instance&) {}   // its machine has no operating system yet
  virtual void booted(const Instance&) {}    // its user data starts
  // EC2 interrupts the instance for this reason ("no-capacity", "by-price"), now or after a notice.
  virtual void interrupted(const Instance&, const std::string& /*reason*/) {}
  virtual void noticed(const Instance&) {}  // the notice can be read
  // The instance shuts down. At the first call its machine still runs; at the second it has the
  // order to stop.
  virtual void shutting_down(const Instance&, Ended) {}
  virtual void stopping_machine(const Instance&) {}
  virtual void machine_gone(const Instance&) {}  // all programs have ended
  virtual void terminated(const Instance&) {}
};

}  // namespace sim::cloud
