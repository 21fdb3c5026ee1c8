// AWS::EC2::VolumeAttachment. Its physical ID is "VOLUME:INSTANCE".
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::volume_attachment {
namespace {

namespace ec2 = api::ec2::op;

struct Ends {
  std::string volume, instance;
};
Ends ends_of(const ResourceCall& call) {
  const auto colon = call.id().find(':');
  return {call.id().substr(0, colon), call.id().substr(colon + 1)};
}

// Empty if the volume is not attached to this instance.
std::string state_of(const ResourceCall& call) {
  const Ends ends = ends_of(call);
  const auto response = call.ask<ec2::DescribeVolumes>({.volume_ids = {ends.volume}});
  for (const auto& attachment : response.volumes.at(0).attachments)
    if (attachment.instance_id == ends.instance) return attachment.state.value();
  return "";
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const std::string volume = properties.need_text("VolumeId");
  const std::string instance = properties.need_text("InstanceId");
  const std::string device = properties.need_text("Device");
  properties.end();
  call.ask<ec2::AttachVolume>({.device = device, .instance_id = instance, .volume_id = volume});
  return volume + ":" + instance;
}

bool is_ready(const ResourceCall& call) { return state_of(call) == "attached"; }

void remove(const ResourceCall& call) {
  const Ends ends = ends_of(call);
  if (!state_of(call).empty())
    call.ask<ec2::DetachVolume>({.instance_id = ends.instance, .volume_id = ends.volume});
}

bool is_gone(const ResourceCall& call) { return state_of(call).empty(); }

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::VolumeAttachment", .attributes = {}},
                 .create = create,
                 .remove = remove,
                 .is_ready = is_ready,
                 .is_gone = is_gone};

}  // namespace fakes::cloudformation::volume_attachment
