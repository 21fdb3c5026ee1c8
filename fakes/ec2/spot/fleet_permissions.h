// The permissions of fleets, where IAM decides. A spot fleet launches as its role, an instant EC2
// fleet as its caller (EC2 User Guide, "Spot Fleet permissions" and "EC2 Fleet prerequisites"). The
// service-linked role of other EC2 fleets may launch everything.
#pragma once

#include "fakes/action.h"

namespace fakes::ec2 {

// Makes the cloud ask whether a fleet may launch. A spot fleet's role must exist and trust it:
// throws InvalidSpotFleetRequestConfig.
void use_fleet_role(Backend& backend, const sim::cloud::Fleet& fleet);

// While it exists, instant fleets launch as the caller of the action.
class FleetsOfCaller {
 public:
  explicit FleetsOfCaller(const Call& call);
  ~FleetsOfCaller();
  FleetsOfCaller(const FleetsOfCaller&) = delete;
  FleetsOfCaller& operator=(const FleetsOfCaller&) = delete;

 private:
  Backend* backend_ = nullptr;  // null: IAM does not decide
};

}  // namespace fakes::ec2
