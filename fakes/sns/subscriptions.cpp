// Subscriptions of topics.
#include <cstdint>
#include <ranges>

#include "fakes/key_page.h"
#include "fakes/messaging.h"
#include "fakes/sns/actions.h"
#include "sim/cloud/error.h"

namespace fakes::sns {
namespace {

using sim::messaging::Subscription;

constexpr std::int64_t kSubscriptionsOnAPage = 100;

sim::messaging::Topics& all_topics(Call& call) { return messaging(call.backend).topics; }

// Lists the subscriptions after the token's. An empty `topic` means all topics.
template <class Response>
Response listed(Call& call, const std::optional<std::string>& token, const std::string& topic) {
  Response response;
  response.subscriptions.give();
  const auto is_wanted = [&](const auto& entry) {
    return topic.empty() || entry.second.topic == topic;
  };
  response.next_token = add_page(
      {.token = token.value_or(""),
       .most = kSubscriptionsOnAPage,
       .refusal = {"InvalidParameter", "Invalid parameter: NextToken"}},
      all_topics(call).subscriptions() | std::views::filter(is_wanted),
      [](const auto& entry) { return entry.first; },
      [&](const auto& entry) {
        const Subscription& each = entry.second;
        response.subscriptions.push_back(
            {.endpoint = each.endpoint,
             .owner = call.cloud.config().account_id,
             .protocol = each.protocol,
             .subscription_arn = each.confirmed ? each.arn : "PendingConfirmation",
             .topic_arn = each.topic});
      });
  return response;
}

}  // namespace

op::Subscribe::Response subscribe(Call& call, const op::Subscribe::Request& request) {
  const Subscription& made = all_topics(call).subscribe({.topic = request.topic_arn.value(),
                                                         .protocol = request.protocol.value(),
                                                         .endpoint = request.endpoint.value_or(""),
                                                         .attributes = request.attributes,
                                                         .links = call.endpoint});
  const bool shows_arn = made.confirmed || request.return_subscription_arn.value_or(false);
  return {.subscription_arn = shows_arn ? made.arn : "pending confirmation"};
}

op::ConfirmSubscription::Response confirm_subscription(
    Call& call, const op::ConfirmSubscription::Request& request) {
  const bool needs_signature = request.authenticate_on_unsubscribe.value_or("") == "true";
  return {.subscription_arn =
              all_topics(call)
                  .confirm(request.topic_arn.value(), request.token.value(), needs_signature)
                  .arn};
}

op::Unsubscribe::Response unsubscribe(Call& call, const op::Unsubscribe::Request& request) {
  const std::string& arn = request.subscription_arn.value();
  const auto& all = all_topics(call).subscriptions();
  const auto found = all.find(arn);
  if (call.is_link && found != all.end() && found->second.needs_signature)
    throw sim::cloud::ApiError("AuthorizationError", "Not authorized", 403);
  using sim::messaging::Unsubscriber;
  all_topics(call).unsubscribe(arn, call.is_link ? Unsubscriber::kLink : Unsubscriber::kOwner);
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
  response.attributes["PendingConfirmation"] = of.confirmed ? "false" : "true";
  response.attributes["ConfirmationWasAuthenticated"] =
      !of.is_http() || of.needs_signature ? "true" : "false";
  if (of.is_http())
    response.attributes["EffectiveDeliveryPolicy"] =
        shown_for_subscription(all_topics(call).policy_of(of)).dump();
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
