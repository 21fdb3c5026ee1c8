#include "sim/cloud/parts/records.h"

#include "sim/cloud/parts/state.h"

namespace sim::cloud {

std::shared_ptr<Cloud::Records> Cloud::copy_records() const {
  const State& s = *state_;
  return std::make_shared<Records>(Records{.instances = s.instances.all(),
                                           .volumes = s.volumes.all(),
                                           .snapshots = s.snapshots.all(),
                                           .spot_requests = s.spot_requests.all(),
                                           .fleets = fleets(),
                                           .attached = s.attachments.index(),
                                           .tagged = s.tagging.index()});
}

void Cloud::swap_records(Records& records) {
  State& s = *state_;
  s.past = s.past ? nullptr : &records;
}

}  // namespace sim::cloud
