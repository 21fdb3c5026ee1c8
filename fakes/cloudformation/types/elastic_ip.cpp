// AWS::EC2::EIP.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::elastic_ip {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"AllocationId", "PublicIp"};

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const auto instance = properties.take_text("InstanceId");
  properties.tag_as("elastic-ip");
  const auto made = call.ask<ec2::AllocateAddress>(properties.request<ec2::AllocateAddress>());
  const auto associate = [&] {
    if (instance)
      call.ask<ec2::AssociateAddress>(
          {.allocation_id = made.allocation_id, .instance_id = *instance});
  };
  undo_on_failure(made.public_ip.value(), associate,
                  [&] { call.ask<ec2::ReleaseAddress>({.allocation_id = made.allocation_id}); });
  return made.public_ip.value();
}

api::ec2::Address described(const ResourceCall& call) {
  return call.ask<ec2::DescribeAddresses>({.public_ips = {call.id()}}).addresses.at(0);
}

std::string tagged(const ResourceCall& call) { return described(call).allocation_id.value(); }

void remove(const ResourceCall& call) {
  const auto address = described(call);
  if (address.association_id)
    call.ask<ec2::DisassociateAddress>({.association_id = address.association_id});
  call.ask<ec2::ReleaseAddress>({.allocation_id = address.allocation_id});
}

Json attribute(const ResourceCall& call, const std::string& name) {
  return name == "PublicIp" ? call.id() : described(call).allocation_id.value();
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::EIP",
                            .attributes = kAttributes,
                            .updated = kOnlyTags,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .tagged = tagged,
                 .attribute = attribute};

}  // namespace fakes::cloudformation::elastic_ip
