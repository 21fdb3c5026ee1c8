// A catalogue of public images, which clients find by name and owner: Amazon Linux, Ubuntu and
// AWS's Deep Learning AMIs. It supplements the scenario's own images.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/backend.h"

namespace fakes::ec2 {

// The public images by ID. Owners and name patterns are AWS's, so that filters of public Terraform
// files match. The releases, their dates and the IDs are examples: AWS's own IDs differ between
// regions and change with each release. An image does not exist before its date. If any ID may be
// launched, each launched image is included. If the scenario names all images, the result is empty.
std::map<std::string, sim::cloud::Image> public_images(const Backend& backend);

// True if an instance can be launched from an image with this ID.
bool is_image(const Backend& backend, const std::string& id);

// A release of a public image, and its date.
struct ImageRelease {
  std::string image_id;
  sim::Time since;
};
// A parameter's versions, oldest first. The first one has number 1.
using ImageReleases = std::vector<ImageRelease>;

// Systems Manager's public parameters for these images, by name: AWS's and Canonical's own names.
std::map<std::string, ImageReleases> image_parameters(const Backend& backend);

// A reference to a parameter in a request: "NAME", "NAME:2", "NAME:LABEL", or its ARN.
struct NamedParameter {
  std::string name, selector;  // ":2"; empty: the newest
};
NamedParameter named_parameter(const Backend& backend, std::string text);
// Empty if no release has this number.
std::optional<std::size_t> version_of(const ImageReleases& releases, std::string_view selector);

// The image that "resolve:ssm:PARAMETER" names now. Any other ID is returned unchanged. Throws
// InvalidParameterValue for an unknown parameter (EC2 User Guide, "Use a Systems Manager parameter
// instead of an AMI ID").
std::string resolved_image_id(const Backend& backend, const std::string& image_id);

}  // namespace fakes::ec2
