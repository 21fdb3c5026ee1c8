// Public images beside the scenario's own, which clients find by name and owner: Amazon Linux,
// Ubuntu and AWS's Deep Learning AMIs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/backend.h"

namespace fakes::ec2 {

// By ID. Owners and the patterns of names are AWS's, as public Terraform files filter for them. The
// releases, their dates and the IDs are examples: AWS's own IDs differ between regions and change
// with each release. An image is missing before its date. Where any ID may
// be launched, each image of which there has been an instance is there, too. Empty where the
// scenario names all images.
std::map<std::string, sim::cloud::Image> public_images(const Backend& backend);

// A release of a public image, and when it came out.
struct ImageRelease {
  std::string image_id;
  sim::Time since;
};
// A parameter's versions, the oldest first: version 1 is the first one here.
using ImageReleases = std::vector<ImageRelease>;

// Systems Manager's public parameters for these images, by name: AWS's and Canonical's own names.
std::map<std::string, ImageReleases> image_parameters(const Backend& backend);

// A parameter as requests name it: "NAME", "NAME:2", or its ARN.
struct NamedParameter {
  std::string name, selector;  // ":2"; empty: the newest
};
NamedParameter named_parameter(const Backend& backend, std::string text);
// Empty where no release has the number.
std::optional<std::size_t> version_of(const ImageReleases& releases, std::string_view selector);

// The image that "resolve:ssm:PARAMETER" names now; any other ID is itself. Throws
// InvalidParameterValue for a parameter that is missing (EC2 User Guide, "Use a Systems Manager
// parameter instead of an AMI ID").
std::string resolved_image_id(const Backend& backend, const std::string& image_id);

}  // namespace fakes::ec2
