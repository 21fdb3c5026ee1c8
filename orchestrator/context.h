// The objects that every step uses: the seams, and AWS through them.
#pragma once

#include "client/metadata_client.h"
#include "orchestrator/aws/ec2.h"
#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/log.h"
#include "orchestrator/seams/machine.h"

namespace spotrun {

struct Context {
  Clock& clock;
  Log& log;
  aws::Ec2& ec2;
};

// The context on an instance.
struct InstanceContext : Context {
  Machine& machine;
  client::MetadataClient& imds;
};

}  // namespace spotrun
