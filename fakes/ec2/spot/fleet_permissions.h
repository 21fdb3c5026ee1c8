// The permissions of fleets, where IAM decides. A spot fleet launches as its role, an instant EC2
// fleet as its caller (EC2 User Guide, "Spot Fleet permissions" and "EC2 Fleet prerequisites"). The
// service-linked role of other EC2 fleets may launch everything.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "fakes/action.h"

namespace fakes::ec2 {

// Makes the cloud ask whether a fleet may launch. A spot fleet's role must exist and trust it:
// throws InvalidSpotFleetRequestConfig.
void use_fleet_role(Backend& backend, const sim::cloud::Fleet& fleet);

// The images of an instant fleet as its request and its templates name them: IDs, or parameters of
// Systems Manager such as "resolve:ssm:/golden". The fleet's specifications have only IDs, but the
// caller needs the permission to read the parameters.
class NamedImages {
 public:
  // Resolves the name of the specification's image.
  void resolve(const Backend& backend, sim::cloud::LaunchSpec& spec);
  // The specification with the name of its image in place of the ID.
  sim::cloud::LaunchSpec named(sim::cloud::LaunchSpec spec) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  static Key key_of(const sim::cloud::LaunchSpec& spec);
  std::map<Key, std::string> names_;
};

// While it exists, instant fleets launch as the caller of the action. The images must outlive it.
class FleetsOfCaller {
 public:
  FleetsOfCaller(const Call& call, const NamedImages& images);
  ~FleetsOfCaller();
  FleetsOfCaller(const FleetsOfCaller&) = delete;
  FleetsOfCaller& operator=(const FleetsOfCaller&) = delete;

 private:
  Backend* backend_ = nullptr;  // null: IAM does not decide
};

}  // namespace fakes::ec2
