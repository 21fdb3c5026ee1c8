// Topics.
#include <algorithm>
#include <cstdint>

#include "fakes/key_page.h"
#include "fakes/messaging.h"
#include "fakes/sns/actions.h"
#include "sim/cloud/error.h"

namespace fakes::sns {
namespace {

using sim::messaging::Topic;
using sim::messaging::Topics;

constexpr std::int64_t kTopicsOnAPage = 100;

Topics& topics(Call& call) { return messaging(call.backend).topics; }

void check_policy(const Call& call, const std::string& attribute, const std::string& value) {
  if (attribute == "Policy" && !call.backend.iam->invalid_principal(value).empty())
    throw sim::cloud::ApiError("InvalidParameter",
                               "Invalid parameter: Policy Error: PrincipalNotFound");
}

const Topic& tagged(Call& call, const std::string& arn) {
  const auto found = topics(call).all().find(arn);
  if (found == topics(call).all().end())
    throw sim::cloud::ApiError("ResourceNotFound", "Resource does not exist", 404);
  return found->second;
}

}  // namespace

op::CreateTopic::Response create_topic(Call& call, const op::CreateTopic::Request& request) {
  std::map<std::string, std::string> tags;
  for (const auto& tag : request.tags) tags[tag.key.value()] = tag.value.value();
  for (const auto& [name, value] : request.attributes) check_policy(call, name, value);
  return {.topic_arn = topics(call).create(request.name.value(), request.attributes, tags).arn};
}

op::DeleteTopic::Response delete_topic(Call& call, const op::DeleteTopic::Request& request) {
  topics(call).remove(request.topic_arn.value());
  return {};
}

op::ListTopics::Response list_topics(Call& call, const op::ListTopics::Request& request) {
  op::ListTopics::Response response;
  response.topics.give();
  response.next_token = add_page(
      {.token = request.next_token.value_or(""),
       .most = kTopicsOnAPage,
       .refusal = {"InvalidParameter", "Invalid parameter: NextToken"}},
      topics(call).all(), [](const auto& entry) { return entry.first; },
      [&](const auto& entry) { response.topics.push_back({.topic_arn = entry.first}); });
  return response;
}

op::GetTopicAttributes::Response get_attributes(Call& call,
                                                const op::GetTopicAttributes::Request& request) {
  const Topic& topic = topics(call).topic(request.topic_arn.value());
  op::GetTopicAttributes::Response response;
  response.attributes = topic.attributes;
  const auto& subscriptions = topics(call).subscriptions();
  const auto count = [&](bool confirmed) {
    return std::to_string(std::ranges::count_if(subscriptions, [&](const auto& each) {
      return each.second.topic == topic.arn && each.second.confirmed == confirmed;
    }));
  };
  response.attributes["TopicArn"] = topic.arn;
  response.attributes["Owner"] = call.cloud.config().account_id;
  response.attributes["SubscriptionsConfirmed"] = count(true);
  response.attributes["SubscriptionsDeleted"] = std::to_string(topic.deleted.size());
  response.attributes["SubscriptionsPending"] = count(false);
  const auto policy = response.attributes.find("DeliveryPolicy");
  response.attributes["EffectiveDeliveryPolicy"] =
      shown_for_topic(sim::messaging::read_delivery_policy(
                          policy == response.attributes.end() ? "" : policy->second, ""))
          .dump();
  response.attributes.try_emplace("DisplayName", "");
  response.attributes.try_emplace(
      "Policy", sim::messaging::default_topic_policy(topic.arn, call.cloud.config().account_id));
  if (topic.fifo()) response.attributes.try_emplace("ContentBasedDeduplication", "false");
  return response;
}

op::SetTopicAttributes::Response set_attributes(Call& call,
                                                const op::SetTopicAttributes::Request& request) {
  const std::string value = request.attribute_value.value_or("");
  check_policy(call, request.attribute_name.value(), value);
  topics(call).set_attribute(request.topic_arn.value(), request.attribute_name.value(), value);
  return {};
}

op::TagResource::Response tag_resource(Call& call, const op::TagResource::Request& request) {
  auto tags = tagged(call, request.resource_arn.value()).tags;
  for (const auto& tag : request.tags) tags[tag.key.value()] = tag.value.value();
  topics(call).set_tags(request.resource_arn.value(), std::move(tags));
  return {};
}

op::UntagResource::Response untag_resource(Call& call, const op::UntagResource::Request& request) {
  auto tags = tagged(call, request.resource_arn.value()).tags;
  for (const std::string& key : request.tag_keys) tags.erase(key);
  topics(call).set_tags(request.resource_arn.value(), std::move(tags));
  return {};
}

op::ListTagsForResource::Response list_tags(Call& call,
                                            const op::ListTagsForResource::Request& request) {
  op::ListTagsForResource::Response response;
  response.tags.give();
  for (const auto& [key, value] : tagged(call, request.resource_arn.value()).tags)
    response.tags.push_back({.key = key, .value = value});
  return response;
}

}  // namespace fakes::sns
