// AWS::SNS::Subscription.
#include "api/sns.h"
#include "fakes/cloudformation/types/attribute_maps.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::subscription {
namespace {

namespace sns = api::sns::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn"};
constexpr std::string_view kUpdated[] = {
    "DeliveryPolicy", "FilterPolicy", "FilterPolicyScope", "RawMessageDelivery",
    "RedrivePolicy",  "Region",       "ReplayPolicy",      "SubscriptionRoleArn"};
constexpr std::string_view kChanges[] = {"FilterPolicy", "FilterPolicyScope", "RawMessageDelivery"};

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  sns::Subscribe::Request request;
  request.attributes = take_attributes(properties, kChanges);
  request.endpoint = properties.take_text("Endpoint");
  request.protocol = properties.need_text("Protocol");
  request.topic_arn = properties.need_text("TopicArn");
  request.return_subscription_arn = true;
  properties.end();
  return call.ask<sns::Subscribe>(request).subscription_arn.value();
}

void update(const ResourceCall& call, const Json&) {
  Properties properties = call.properties();
  for (const auto& [name, value] : take_attributes(properties, kChanges))
    call.ask<sns::SetSubscriptionAttributes>(
        {.attribute_name = name, .attribute_value = value, .subscription_arn = call.id()});
}

void remove(const ResourceCall& call) {
  call.ask<sns::Unsubscribe>({.subscription_arn = call.id()});
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::SNS::Subscription", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .attribute = physical_id,
    .update = update,
    .changes = kChanges};

}  // namespace fakes::cloudformation::subscription
