#include "fakes/service.h"
#include "fakes/sqs/actions.h"

namespace fakes {
namespace {

std::span<const ActionRow> sqs_rows() {
  using namespace sqs;
  static const ActionRow rows[] = {
      action<op::AddPermission, add_permission>(),
      action<op::ChangeMessageVisibility, change_visibility>(),
      action<op::ChangeMessageVisibilityBatch, change_visibility_batch>(),
      action<op::CreateQueue, create_queue>(),
      action<op::DeleteMessage, delete_message>(),
      action<op::DeleteMessageBatch, delete_batch>(),
      action<op::DeleteQueue, delete_queue>(),
      action<op::GetQueueAttributes, get_attributes>(),
      action<op::GetQueueUrl, get_queue_url>(),
      action<op::ListDeadLetterSourceQueues, list_sources>(),
      action<op::ListQueueTags, list_tags>(),
      action<op::ListQueues, list_queues>(),
      action<op::PurgeQueue, purge_queue>(),
      action<op::ReceiveMessage, receive_message>(),
      action<op::RemovePermission, remove_permission>(),
      action<op::SendMessage, send_message>(),
      action<op::SendMessageBatch, send_batch>(),
      action<op::SetQueueAttributes, set_attributes>(),
      action<op::TagQueue, tag_queue>(),
      action<op::UntagQueue, untag_queue>(),
  };
  return rows;
}

}  // namespace

const Service& sqs_service() {
  static const Service service{.model = api::sqs::kService, .actions = sqs_rows()};
  return service;
}

const Service& sqs_json_service() {
  static const Service service{.model = api::sqs::json::kService, .actions = sqs_rows()};
  return service;
}

}  // namespace fakes
