// The images that the account has made: registered, copied, launched and deregistered.
//
// An image names one snapshot for each volume of its instances. It is pending until all of them are
// completed. While an image is registered, its snapshots cannot be deleted. The images of a
// scenario and public ones are not here (Config::images). The comments in cloud.h say what each
// action throws.
#pragma once

#include <map>
#include <string>

#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/snapshots.h"
#include "sim/cloud/parts/tagging.h"

namespace sim::cloud {

class Images {
 public:
  Images(Context&, Tagging&, Snapshots&);

  // All images, including deregistered ones.
  const std::map<ImageId, OwnImage>& all() const { return table_; }
  // An image that EC2 shows. Throws InvalidAMIID.NotFound for an ID that was never one, and
  // InvalidAMIID.Unavailable for a deregistered one.
  const OwnImage& shown(const ImageId&) const;
  // An image whose instances can be launched. Null: the ID is no own image. Throws
  // InvalidAMIID.Unavailable for an own image that is not available.
  const OwnImage* available(const std::string& image_id) const;
  // The image that is the base of an image's files: the image from which the instance was launched.
  std::string base_of(const std::string& image_id) const;

  // Adds a pending image; the ID, the state and the time are set here. Throws InvalidAMIName.*.
  OwnImage& add(OwnImage);
  // Makes a pending image available as soon as the snapshots of its devices are completed. A device
  // without a snapshot is blank.
  void complete_later(OwnImage&);
  void fail(OwnImage&, const std::string& reason);

  ImageId register_image(OwnImage);
  // `source` has the image: this object, or another region's.
  ImageId copy(const Images& source, const std::string& image_id, const ImageRequest&);
  void deregister(const ImageId&);
  void describe(const ImageId&, const std::string& description);
  void permit(const ImageId&, Permissions);

  // Throws InvalidSnapshot.InUse if a registered image has this snapshot.
  void check_unused(const SnapshotId&) const;
  // Completes a launch specification from an own image: the volumes that the specification does not
  // name, and the metadata options. Throws if the image cannot be launched.
  void complete(LaunchSpec&) const;

 private:
  void check_name(const std::string&) const;
  OwnImage& shown_record(const ImageId&);
  void finish(OwnImage&);

  Context& context_;
  Tagging& tagging_;
  Snapshots& snapshots_;
  std::map<ImageId, OwnImage> table_;
};

}  // namespace sim::cloud
