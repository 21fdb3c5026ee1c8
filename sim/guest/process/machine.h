// One machine that runs: an instance, or the operator's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cloud/ids.h"
#include "sim/guest/process/job_events.h"
#include "sim/guest/sandbox/sandbox.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

struct Machine {
  std::string name;            // instance ID or "operator"
  cloud::InstanceId instance;  // empty: the operator's
  Sandbox sandbox;
  JobEvents events;
  int guest = 0;                    // the supervisor's token
  std::vector<int> listeners;       // the server's tokens
  bool empty = false;               // only its init is left
  std::function<void()> gone;       // set while it shuts down
  std::optional<EventId> deadline;  // of the operating system's grace
  std::function<void(int status)> exited;

  struct Plug {
    std::string device;              // "/dev/xvdf"
    std::function<void()> released;  // set while the guest is asked to let go
  };
  std::map<cloud::VolumeId, Plug> plugs;
};

}  // namespace sim::guest
