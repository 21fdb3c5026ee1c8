// Changes of a volume's size, type and performance (EBS user guide, "Modify an Amazon EBS volume
// using Elastic Volumes operations"). A modification is modifying for seconds, then optimizing for
// a time that grows with the volume's size, then completed. The volume keeps its state and can be
// used throughout. The comments in cloud.h say what begin() throws.
#pragma once

#include "sim/cloud/host.h"
#include "sim/cloud/parts/bill.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/volumes.h"

namespace sim::cloud {

class Modifications {
 public:
  Modifications(Context& context, Host& host, Bill& bill, Volumes& volumes)
      : context_(context), host_(host), bill_(bill), volumes_(volumes) {}

  // Starts a modification. The volume is billed for its new settings from now on.
  const VolumeModification& begin(const VolumeId&, const VolumeChange&);

 private:
  void optimize(Volume&);
  void complete(Volume&);

  Context& context_;
  Host& host_;
  Bill& bill_;
  Volumes& volumes_;
};

}  // namespace sim::cloud
