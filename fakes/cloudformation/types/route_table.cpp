// AWS::EC2::RouteTable.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::route_table {
namespace {

namespace ec2 = api::ec2::op;

constexpr std::string_view kAttributes[] = {"RouteTableId"};

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.tag_as("route-table");
  return call.ask<ec2::CreateRouteTable>(properties.request<ec2::CreateRouteTable>())
      .route_table->route_table_id.value();
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DeleteRouteTable>({.route_table_id = call.id()});
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::RouteTable",
                            .attributes = kAttributes,
                            .updated = kOnlyTags,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = physical_id,
                 .update = update_ec2_tags,
                 .changes = kOnlyTags};

}  // namespace fakes::cloudformation::route_table
