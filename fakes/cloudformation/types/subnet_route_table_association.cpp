// AWS::EC2::SubnetRouteTableAssociation.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::subnet_route_table_association {
namespace {

namespace ec2 = api::ec2::op;

constexpr std::string_view kAttributes[] = {"Id"};
// AWS changes the route table in place. `changes` has no row for this: here the update fails with
// the property's name, because the association would get another ID.
constexpr std::string_view kUpdated[] = {"RouteTableId"};

std::string create(const ResourceCall& call) {
  return call.ask<ec2::AssociateRouteTable>(call.properties().request<ec2::AssociateRouteTable>())
      .association_id.value();
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DisassociateRouteTable>({.association_id = call.id()});
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::SubnetRouteTableAssociation",
                            .attributes = kAttributes,
                            .updated = kUpdated},
                 .create = create,
                 .remove = remove,
                 .attribute = physical_id};

}  // namespace fakes::cloudformation::subnet_route_table_association
