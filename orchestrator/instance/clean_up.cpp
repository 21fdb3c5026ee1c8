#include "orchestrator/instance/clean_up.h"

#include <fmt/format.h>

#include "orchestrator/failure.h"
#include "orchestrator/job/tags.h"

namespace spotrun {
namespace {

constexpr int kTries = 10;

aws::Instance describe_self(InstanceContext& context, const client::Identity& self) {
  if (auto instance = context.ec2.find_instance(self.instance_id)) return *instance;
  throw TryAgain("EC2 does not know instance " + self.instance_id + " (yet)");
}

// Returns false if an earlier request or the fleet's owner has cancelled the fleet.
bool cancel_fleet(InstanceContext& context, const std::string& fleet) {
  try {
    context.log.say("cancelling spot fleet request " + fleet);
    context.ec2.cancel_spot_fleet(fleet);
    return true;
  } catch (const aws::ApiError& error) {
    if (error.code() != "fleetRequestNotInCancellableState") throw;
    context.log.say(error.what());
    return false;
  }
}

void give_back_once(InstanceContext& context, const client::Identity& self) {
  const aws::Instance instance = describe_self(context, self);
  const auto fleet = instance.tags.find(tags::kFleet);
  if (fleet != instance.tags.end() && cancel_fleet(context, fleet->second)) return;
  if (!instance.spot_request_id.empty()) {
    context.log.say("cancelling spot instance request " + instance.spot_request_id);
    context.ec2.cancel_spot_request(instance.spot_request_id);
  }
  context.log.say("terminating this instance");
  context.ec2.terminate_instance(self.instance_id);
}

}  // namespace

void give_back(InstanceContext& context, const client::Identity& self) {
  for (int tries = 1;; ++tries) {
    try {
      return give_back_once(context, self);
    } catch (const aws::ApiError& error) {
      if (!error.transient() || tries == kTries) throw;
      context.log.say(error.what());
    } catch (const TryAgain& error) {
      if (tries == kTries) throw Failure(ExitCode::kAws, error.what());
      context.log.say(error.what());
    }
    context.clock.sleep(Duration{15'000});
  }
}

bool is_spot(InstanceContext& context, const client::Identity& self) {
  // Metadata shows the lifecycle at once. DescribeInstances can be late after a launch.
  try {
    if (const auto life_cycle = context.imds.get("meta-data/instance-life-cycle")) {
      return *life_cycle == "spot";
    }
  } catch (const client::MetadataError& error) {
    context.log.say(error.what());
  }
  const auto instance = context.ec2.find_instance(self.instance_id);
  return instance && !instance->spot_request_id.empty();
}

}  // namespace spotrun
