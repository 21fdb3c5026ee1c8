// AWS::EC2::Route.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::route {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"CidrBlock"};
constexpr std::string_view kUpdated[] = {"GatewayId", "InstanceId", "NetworkInterfaceId"};

// "rtb-1|0.0.0.0/0"
std::string create(const ResourceCall& call) {
  const auto request = call.properties().request<ec2::CreateRoute>();
  call.ask<ec2::CreateRoute>(request);
  return request.route_table_id.value_or("") + "|" + request.destination_cidr_block.value_or("");
}

void update(const ResourceCall& call, const Json&) {
  call.ask<ec2::ReplaceRoute>(call.properties().request<ec2::ReplaceRoute>());
}

void remove(const ResourceCall& call) {
  Properties properties = call.properties();
  call.ask<ec2::DeleteRoute>(
      {.destination_cidr_block = properties.need_text("DestinationCidrBlock"),
       .route_table_id = properties.need_text("RouteTableId")});
}

Json attribute(const ResourceCall& call, const std::string&) {
  return call.properties().need_text("DestinationCidrBlock");
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::EC2::Route", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .attribute = attribute,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::route
