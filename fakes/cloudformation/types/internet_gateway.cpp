// AWS::EC2::InternetGateway.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::internet_gateway {
namespace {

namespace ec2 = api::ec2::op;

constexpr std::string_view kAttributes[] = {"InternetGatewayId"};

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.tag_as("internet-gateway");
  return call.ask<ec2::CreateInternetGateway>(properties.request<ec2::CreateInternetGateway>())
      .internet_gateway->internet_gateway_id.value();
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DeleteInternetGateway>({.internet_gateway_id = call.id()});
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::InternetGateway",
                            .attributes = kAttributes,
                            .updated = kOnlyTags,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .attribute = physical_id,
                 .update = update_ec2_tags,
                 .changes = kOnlyTags};

}  // namespace fakes::cloudformation::internet_gateway
