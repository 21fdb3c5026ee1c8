// CreateImage: makes an image of an instance's root and of the volumes that are attached to it.
//
// With a reboot, the snapshots begin when the instance's programs have ended. If the instance ends
// before that, the image fails. The comments in cloud.h say what the action throws.
#pragma once

#include <map>
#include <string>

#include "sim/cloud/parts/attachments.h"
#include "sim/cloud/parts/images.h"
#include "sim/cloud/parts/instance_listener.h"
#include "sim/cloud/parts/instances.h"
#include "sim/cloud/parts/snapshots.h"
#include "sim/cloud/parts/volumes.h"

namespace sim::cloud {

class ImageCreation : public InstanceListener {
 public:
  ImageCreation(Images&, Snapshots&, Volumes&, Attachments&, Instances&);

  ImageId create(const InstanceId&, const ImageRequest&);

  void shutting_down(const Instance&, Ended) override;

 private:
  void check_devices(const InstanceId&, const ImageRequest&);
  void copy_volumes(OwnImage&, const ImageRequest&);
  std::vector<const Volume*> volumes_of(const InstanceId&);

  Images& images_;
  Snapshots& snapshots_;
  Volumes& volumes_;
  Attachments& attachments_;
  Instances& instances_;
  std::multimap<InstanceId, OwnImage*> waiting_;  // for the reboot of these instances
};

}  // namespace sim::cloud
