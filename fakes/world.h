// What the adapters see of the world.
#pragma once

#include <string>

#include "fakes/http/http.h"
#include "sim/cloud/cloud.h"
#include "sim/kernel/event_log.h"
#include "sim/kernel/random.h"

namespace fakes {

struct World {
  sim::cloud::Cloud& cloud;
  sim::Simulation& simulation;
  sim::EventLog& log;
  const sim::Streams& streams;
  sim::cloud::Latencies latencies;
  bool imds_enabled = true;
};

// The instance metadata service as `instance` sees it at 169.254.169.254:80 (IMDSv1 and v2).
Handler imds(World& world, sim::cloud::InstanceId instance);

// AWS's regional endpoints on one port. The service is told from the SigV4 credential scope, as all
// AWS SDKs send it. `caller` is who signs, as the log names it: an instance ID or "operator".
Handler aws(World& world, std::string caller);

}  // namespace fakes
