// Public images that a cloud has beside those of the scenario, so that clients find one by name and
// owner: Amazon Linux, Ubuntu and AWS's Deep Learning AMIs.
#pragma once

#include <map>
#include <string>

#include "fakes/backend.h"

namespace fakes::ec2 {

// By ID. Names, owners and dates are AWS's. IDs are made of region and name, because AWS's own are
// others in each region and change with each release. Those of a later date than the cloud's are
// not there yet. Empty where the scenario names all images that there are.
std::map<std::string, sim::cloud::Image> public_images(const Backend& backend);

}  // namespace fakes::ec2
