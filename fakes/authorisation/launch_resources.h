// The resources that a request names, launches, creates or copies, on which policies decide.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/authorisation/permissions.h"
#include "sim/cloud/resources.h"

namespace fakes::authorisation {

// The resource that a request names, in the form of its ARN: the ID of a security group whose name
// the request has. `kind` is the kind of name in a PermissionRow. "*" stands for a resource that
// does not exist and whose ARN has another name. Empty: the kind is not one of these.
std::optional<std::string> resource_named(const Backend& backend, std::string_view kind,
                                          const std::string& name);
// The image that ImageId names; "*" for a parameter of Systems Manager that does not exist.
std::string image_named(const Backend& backend, const std::string& image_id);

// The volumes of RunInstances: those of its block device mappings, and those that its image adds,
// at least a root (EC2 User Guide, "Block device mappings"). Mappings without Ebs have no volume.
std::vector<sim::cloud::VolumeSpec> volumes_of_launch(const Asked& asked);

// The IDs of the volumes of CreateSnapshots: those attached to its instance, without the excluded
// ones.
std::vector<std::string> volumes_of_snapshots(const Asked& asked);

// Whether CreateSnapshots copies tags from its volumes. Tags of other services are not copied.
bool copies_tags_of_volumes(const Asked& asked);

// The volume that CreateVolume describes.
sim::cloud::VolumeSpec described_volume(const Backend& backend, const api::Parameters& parameters);

// An existing volume. Empty: there is none.
std::optional<sim::cloud::VolumeSpec> existing_volume(const Backend& backend,
                                                      const std::string& id);

}  // namespace fakes::authorisation
