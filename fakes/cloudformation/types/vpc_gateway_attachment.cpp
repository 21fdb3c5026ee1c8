// AWS::EC2::VPCGatewayAttachment.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::vpc_gateway_attachment {
namespace {

namespace ec2 = api::ec2::op;

// "IGW|vpc-1" (CloudFormation User Guide, AWS::EC2::VPCGatewayAttachment, "Ref").
std::string create(const ResourceCall& call) {
  call.ask<ec2::AttachInternetGateway>(call.properties().request<ec2::AttachInternetGateway>());
  return "IGW|" + call.properties().need_text("VpcId");
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DetachInternetGateway>(call.properties().request<ec2::DetachInternetGateway>());
}

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::VPCGatewayAttachment", .attributes = {}},
                 .create = create,
                 .remove = remove};

}  // namespace fakes::cloudformation::vpc_gateway_attachment
