// AWS::EC2::Volume.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::volume {
namespace {

namespace ec2 = api::ec2::op;

constexpr std::string_view kAttributes[] = {"VolumeId"};
constexpr std::string_view kUpdated[] = {"AutoEnableIO", "Iops",       "MultiAttachEnabled", "Size",
                                         "Tags",         "Throughput", "VolumeType"};

std::string state_of(const ResourceCall& call) {
  return call.ask<ec2::DescribeVolumes>({.volume_ids = {call.id()}}).volumes.at(0).state.value();
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.ignore({"AutoEnableIO"});
  properties.tag_as("volume");
  return call.ask<ec2::CreateVolume>(properties.request<ec2::CreateVolume>()).volume_id.value();
}

bool is_ready(const ResourceCall& call) {
  const std::string state = state_of(call);
  return state == "available" || state == "in-use";
}

// DeletionPolicy: Snapshot first makes a snapshot, which has the data at the time of the call.
void remove(const ResourceCall& call) {
  if (call.resource.disposal == sim::stacks::Disposal::kSnapshot && state_of(call) == "available") {
    call.ask<ec2::CreateSnapshot>(
        {.description = "Created by CloudFormation for " + call.resource.logical_id,
         .volume_id = call.id()});
  }
  call.ask<ec2::DeleteVolume>({.volume_id = call.id()});
}

bool is_gone(const ResourceCall& call) {
  state_of(call);  // throws when the volume is gone
  return false;
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::Volume",
                            .attributes = kAttributes,
                            .updated = kUpdated,
                            .has_tags = true,
                            .has_snapshots = true},
                 .create = create,
                 .remove = remove,
                 .is_ready = is_ready,
                 .is_gone = is_gone,
                 .attribute = physical_id,
                 .update = update_ec2_tags,
                 .changes = kOnlyTags};

}  // namespace fakes::cloudformation::volume
