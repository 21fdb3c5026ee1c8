#include "sim/cloud/parts/records.h"

#include "sim/cloud/parts/parts.h"

namespace sim::cloud {

std::shared_ptr<const Cloud::Records> Cloud::copy_records() const {
  return std::make_shared<Records>(Records{.instances = parts_->instances.all(),
                                           .volumes = parts_->volumes.all(),
                                           .snapshots = parts_->snapshots.all(),
                                           .spot_requests = parts_->spot_requests.all(),
                                           .fleets = parts_->fleets.all(),
                                           .attached = parts_->attachments.index(),
                                           .tagged = parts_->tagging.index()});
}

void Cloud::show(const Records* or_present) { parts_->past = or_present; }

}  // namespace sim::cloud
