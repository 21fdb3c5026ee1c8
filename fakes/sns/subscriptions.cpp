// Subscriptions of topics.
#include "base/text/base64.h"
#include "fakes/messaging.h"
#include "fakes/sns/actions.h"
#include "sim/cloud/error.h"

namespace fakes::sns {
namespace {

using sim::messaging::Subscription;

constexpr std::size_t kSubscriptionsOnAPage = 100;

sim::messaging::Topics& all_topics(Call& call) { return messaging(call.backend).topics; }

// Lists the subscriptions after the token's. An empty `topic` means all topics.
template <class Response>
Response listed(Call& call, const std::optional<std::string>& token, const std::string& topic) {
  const auto after = base::base64_decode(token.value_or(""));
  if (!after) throw sim::cloud::ApiError("InvalidParameter", "Invalid parameter: NextToken");
  Response response;
  response.subscriptions.give();
  const auto& all = all_topics(call).subscriptions();
  for (auto it = all.upper_bound(*after); it != all.end(); ++it) {
    const Subscription& each = it->second;
    if (!topic.empty() && each.topic != topic) continue;
    if (response.subscriptions.size() == kSubscriptionsOnAPage) {
      response.next_token =
          base::base64_encode(response.subscriptions.back().subscription_arn.value());
      break;
    }
    response.subscriptions.push_back({.endpoint = each.endpoint,
                                      .owner = call.cloud.config().account_id,
                                      .protocol = each.protocol,
                                      .subscription_arn = each.arn,
                                      .topic_arn = each.topic});
  }
  return response;
}

}  // namespace

op::Subscribe::Response subscribe(Call& call, const op::Subscribe::Request& request) {
  return {.subscription_arn = all_topics(call)
                                  .subscribe(request.topic_arn.value(), request.protocol.value(),
                                             request.endpoint.value_or(""), request.attributes)
                                  .arn};
}

op::Unsubscribe::Response unsubscribe(Call& call, const op::Unsubscribe::Request& request) {
  all_topics(call).unsubscribe(request.subscription_arn.value());
  return {};
}

op::ListSubscriptions::Response list_subscriptions(Call& call,
                                                   const op::ListSubscriptions::Request& request) {
  return listed<op::ListSubscriptions::Response>(call, request.next_token, "");
}

op::ListSubscriptionsByTopic::Response list_of_topic(
    Call& call, const op::ListSubscriptionsByTopic::Request& request) {
  const std::string arn = all_topics(call).topic(request.topic_arn.value()).arn;
  return listed<op::ListSubscriptionsByTopic::Response>(call, request.next_token, arn);
}

op::GetSubscriptionAttributes::Response get_subscription(
    Call& call, const op::GetSubscriptionAttributes::Request& request) {
  const Subscription& of = all_topics(call).subscription(request.subscription_arn.value());
  op::GetSubscriptionAttributes::Response response;
  response.attributes = of.attributes;
  response.attributes["SubscriptionArn"] = of.arn;
  response.attributes["TopicArn"] = of.topic;
  response.attributes["Protocol"] = of.protocol;
  response.attributes["Endpoint"] = of.endpoint;
  response.attributes["Owner"] = call.cloud.config().account_id;
  response.attributes["PendingConfirmation"] = "false";
  response.attributes["ConfirmationWasAuthenticated"] = "true";
  response.attributes["RawMessageDelivery"] = of.raw ? "true" : "false";
  return response;
}

op::SetSubscriptionAttributes::Response set_subscription(
    Call& call, const op::SetSubscriptionAttributes::Request& request) {
  all_topics(call).set_subscription_attribute(request.subscription_arn.value(),
                                              request.attribute_name.value(),
                                              request.attribute_value.value_or(""));
  return {};
}

}  // namespace fakes::sns
