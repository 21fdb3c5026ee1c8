// AWS::EC2::EIPAssociation.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::elastic_ip_association {
namespace {

namespace ec2 = api::ec2::op;

constexpr std::string_view kAttributes[] = {"Id"};

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.rename("EIP", "PublicIp");
  return call.ask<ec2::AssociateAddress>(properties.request<ec2::AssociateAddress>())
      .association_id.value();
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DisassociateAddress>({.association_id = call.id()});
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::EIPAssociation", .attributes = kAttributes},
                 .create = create,
                 .remove = remove,
                 .attribute = physical_id};

}  // namespace fakes::cloudformation::elastic_ip_association
