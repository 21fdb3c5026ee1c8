// The steps of an instance, for the parts that depend on instances: attachments, spot requests,
// fleets and the creation of images.
//
// Instances calls these functions and knows none of the classes that implement them. Cloud decides
// who listens and in which order. Each call follows the change of the instance's record.
#pragma once

#include <string>

#include "sim/cloud/billing.h"
#include "sim/cloud/resources.h"

namespace sim::cloud {

class InstanceListener {
 public:
  virtual ~InstanceListener() = default;

  virtual void launched(const Instance&) {}  // the instance is pending
  virtual void running(const Instance&) {}   // the operating system is not up yet
  virtual void booted(const Instance&) {}    // the user data starts
  // EC2 interrupts the instance for this reason ("no-capacity", "by-price"), now or after a notice.
  virtual void interrupted(const Instance&, const std::string& /*reason*/) {}
  virtual void rebalance_recommended(const Instance&) {}
  virtual void noticed(const Instance&) {}  // the metadata service shows the notice
  // The instance shuts down. shutting_down() comes first, while its machine still runs.
  // stopping_machine() follows when the machine has been ordered to stop.
  virtual void shutting_down(const Instance&, Ended) {}
  virtual void stopping_machine(const Instance&) {}
  virtual void machine_gone(const Instance&) {}  // all programs have ended
  // The instance stops, for this customer or for EC2; its machine still runs. stopped() follows
  // when its programs have ended. starting_machine() comes before its operating system starts
  // again.
  virtual void stopping(const Instance&, Ended) {}
  virtual void stopped(const Instance&) {}
  virtual void starting(const Instance&) {}  // it is pending again
  virtual void starting_machine(const Instance&) {}
  virtual void terminated(const Instance&) {}
};

}  // namespace sim::cloud
