#include "fakes/service.h"
#include "fakes/sns/actions.h"

namespace fakes {

const Service& sns_service() {
  using namespace sns;
  static const ActionRow rows[] = {
      action<op::ConfirmSubscription, confirm_subscription>(),
      action<op::CreateTopic, create_topic>(),
      action<op::DeleteTopic, delete_topic>(),
      action<op::GetSubscriptionAttributes, get_subscription>(),
      action<op::GetTopicAttributes, get_attributes>(),
      action<op::ListSubscriptions, list_subscriptions>(),
      action<op::ListSubscriptionsByTopic, list_of_topic>(),
      action<op::ListTagsForResource, list_tags>(),
      action<op::ListTopics, list_topics>(),
      action<op::Publish, publish>(),
      action<op::PublishBatch, publish_batch>(),
      action<op::SetSubscriptionAttributes, set_subscription>(),
      action<op::SetTopicAttributes, set_attributes>(),
      action<op::Subscribe, subscribe>(),
      action<op::TagResource, tag_resource>(),
      action<op::Unsubscribe, unsubscribe>(),
      action<op::UntagResource, untag_resource>(),
  };
  static const Service service{.model = api::sns::kService, .actions = rows};
  return service;
}

}  // namespace fakes
