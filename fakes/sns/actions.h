// The actions of Amazon SNS, by resource.
#pragma once

#include "api/sns.h"
#include "fakes/action.h"

namespace fakes::sns {

namespace op = api::sns::op;

// ---- topics.cpp
op::CreateTopic::Response create_topic(Call&, const op::CreateTopic::Request&);
op::DeleteTopic::Response delete_topic(Call&, const op::DeleteTopic::Request&);
op::ListTopics::Response list_topics(Call&, const op::ListTopics::Request&);
op::GetTopicAttributes::Response get_attributes(Call&, const op::GetTopicAttributes::Request&);
op::SetTopicAttributes::Response set_attributes(Call&, const op::SetTopicAttributes::Request&);
op::TagResource::Response tag_resource(Call&, const op::TagResource::Request&);
op::UntagResource::Response untag_resource(Call&, const op::UntagResource::Request&);
op::ListTagsForResource::Response list_tags(Call&, const op::ListTagsForResource::Request&);

// ---- subscriptions.cpp
op::Subscribe::Response subscribe(Call&, const op::Subscribe::Request&);
op::ConfirmSubscription::Response confirm_subscription(Call&,
                                                       const op::ConfirmSubscription::Request&);
op::Unsubscribe::Response unsubscribe(Call&, const op::Unsubscribe::Request&);
op::ListSubscriptions::Response list_subscriptions(Call&, const op::ListSubscriptions::Request&);
op::ListSubscriptionsByTopic::Response list_of_topic(Call&,
                                                     const op::ListSubscriptionsByTopic::Request&);
op::GetSubscriptionAttributes::Response get_subscription(
    Call&, const op::GetSubscriptionAttributes::Request&);
op::SetSubscriptionAttributes::Response set_subscription(
    Call&, const op::SetSubscriptionAttributes::Request&);

// ---- publish.cpp
op::Publish::Response publish(Call&, const op::Publish::Request&);
op::PublishBatch::Response publish_batch(Call&, const op::PublishBatch::Request&);

}  // namespace fakes::sns
