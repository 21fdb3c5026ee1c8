// Checks launch specifications as RunInstances and RequestSpotInstances do before they change
// anything.
#pragma once

#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/images.h"
#include "sim/cloud/parts/volumes.h"
#include "sim/market/market.h"
#include "sim/vpc/network.h"

namespace sim::cloud {

class LaunchChecks {
 public:
  LaunchChecks(const Context& context, const market::Market& market, const Images& images,
               const Volumes& volumes, vpc::Network& network)
      : context_(context), market_(market), images_(images), volumes_(volumes), network_(network) {}

  // Fills in the zone of the subnet, the security groups, and the volumes of the image and of the
  // block devices. Throws RunInstances' errors for an invalid specification.
  void complete(LaunchSpec&) const;
  // The same for spot instances, which do not support everything.
  void complete_spot(LaunchSpec&) const;
  // Whether EC2 has the instance type.
  bool offers(const std::string& instance_type) const;
  // Throws InvalidParameterCombination for a cluster placement group and a type that cannot be in
  // one.
  void check_cluster(const std::string& group, const std::string& instance_type) const;
  // Throws InvalidParameterValue for more than 16 KiB.
  static void check_user_data(const std::string& user_data);

 private:
  void check_image(const LaunchSpec&) const;
  void complete_interface(LaunchSpec&) const;
  void complete_place(LaunchSpec&) const;
  void complete_network(LaunchSpec&) const;
  void check_addresses(const LaunchSpec&) const;
  std::string zone_of_address(const std::string& private_ip) const;
  void complete_block_devices(LaunchSpec&) const;
  void check_hibernation(const LaunchSpec&) const;

  const Context& context_;
  const market::Market& market_;
  const Images& images_;
  const Volumes& volumes_;
  vpc::Network& network_;
};

}  // namespace sim::cloud
