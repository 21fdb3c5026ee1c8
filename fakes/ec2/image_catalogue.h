// Public images that a cloud has beside those of the scenario, so that clients find one by name and
// owner: Amazon Linux, Ubuntu and AWS's Deep Learning AMIs.
#pragma once

#include <map>
#include <string>

#include "fakes/backend.h"

namespace fakes::ec2 {

// By ID. Owners and the patterns of names are AWS's, as public Terraform files filter for them. The
// releases, their dates and the IDs are examples: AWS's own IDs differ between regions and change
// with each release. An image is missing before its date. Empty where the scenario names all
// images.
std::map<std::string, sim::cloud::Image> public_images(const Backend& backend);

}  // namespace fakes::ec2
