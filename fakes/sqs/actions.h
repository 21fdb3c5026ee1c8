// The actions of Amazon SQS, by resource.
#pragma once

#include "api/sqs.h"
#include "fakes/action.h"

namespace fakes::sqs {

namespace op = api::sqs::op;

// ---- queues.cpp
op::CreateQueue::Response create_queue(Call&, const op::CreateQueue::Request&);
op::DeleteQueue::Response delete_queue(Call&, const op::DeleteQueue::Request&);
op::GetQueueUrl::Response get_queue_url(Call&, const op::GetQueueUrl::Request&);
op::GetQueueAttributes::Response get_attributes(Call&, const op::GetQueueAttributes::Request&);
op::SetQueueAttributes::Response set_attributes(Call&, const op::SetQueueAttributes::Request&);
op::ListQueues::Response list_queues(Call&, const op::ListQueues::Request&);
op::ListDeadLetterSourceQueues::Response list_sources(
    Call&, const op::ListDeadLetterSourceQueues::Request&);
op::PurgeQueue::Response purge_queue(Call&, const op::PurgeQueue::Request&);
op::TagQueue::Response tag_queue(Call&, const op::TagQueue::Request&);
op::UntagQueue::Response untag_queue(Call&, const op::UntagQueue::Request&);
op::ListQueueTags::Response list_tags(Call&, const op::ListQueueTags::Request&);

// ---- permissions.cpp
op::AddPermission::Response add_permission(Call&, const op::AddPermission::Request&);
op::RemovePermission::Response remove_permission(Call&, const op::RemovePermission::Request&);

// ---- sending.cpp
op::SendMessage::Response send_message(Call&, const op::SendMessage::Request&);
op::SendMessageBatch::Response send_batch(Call&, const op::SendMessageBatch::Request&);

// ---- receiving.cpp
op::ReceiveMessage::Response receive_message(Call&, const op::ReceiveMessage::Request&);
op::DeleteMessage::Response delete_message(Call&, const op::DeleteMessage::Request&);
op::DeleteMessageBatch::Response delete_batch(Call&, const op::DeleteMessageBatch::Request&);
op::ChangeMessageVisibility::Response change_visibility(
    Call&, const op::ChangeMessageVisibility::Request&);
op::ChangeMessageVisibilityBatch::Response change_visibility_batch(
    Call&, const op::ChangeMessageVisibilityBatch::Request&);

}  // namespace fakes::sqs
