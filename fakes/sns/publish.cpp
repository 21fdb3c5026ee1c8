// Messages to topics.
#include <set>

#include "fakes/messaging.h"
#include "fakes/sns/actions.h"
#include "sim/cloud/error.h"

namespace fakes::sns {
namespace {

using sim::cloud::ApiError;
using sim::messaging::Publication;

constexpr std::size_t kMostInABatch = 10;

// The fields of a message that both requests share.
template <class Asked>
Publication read_publication(const Asked& asked) {
  const std::string structure = asked.message_structure.value_or("");
  if (!structure.empty() && structure != "json")
    throw ApiError("InvalidParameter", "Invalid parameter: MessageStructure");
  Publication publication{.message = asked.message.value(),
                          .subject = asked.subject.value_or(""),
                          .by_protocol = structure == "json",
                          .group = asked.message_group_id.value_or(""),
                          .deduplication = asked.message_deduplication_id.value_or("")};
  for (const auto& [name, value] : asked.message_attributes) {
    const std::string& type = value.data_type.value();
    const std::string content = type.starts_with("Binary") ? value.binary_value.value_or("")
                                                           : value.string_value.value_or("");
    if (content.empty())
      throw ApiError(
          "ParameterValueInvalid",
          "The message attribute '" + name + "' must contain non-empty message attribute value.");
    publication.attributes[name] = {type, content};
  }
  return publication;
}

}  // namespace

op::Publish::Response publish(Call& call, const op::Publish::Request& request) {
  const auto& arn = request.topic_arn ? request.topic_arn : request.target_arn;
  if (!arn)
    throw ApiError("InvalidParameter",
                   "Invalid parameter: TopicArn or TargetArn Reason: no value for required "
                   "parameter");
  const auto made = messaging(call.backend).topics.publish(*arn, read_publication(request));
  op::Publish::Response response{.message_id = made.id};
  if (!made.sequence.empty()) response.sequence_number = made.sequence;
  return response;
}

op::PublishBatch::Response publish_batch(Call& call, const op::PublishBatch::Request& request) {
  auto& topics = messaging(call.backend).topics;
  const std::string arn = topics.topic(request.topic_arn.value()).arn;
  const auto& entries = request.publish_batch_request_entries;
  std::set<std::string> ids;
  for (const auto& entry : entries) ids.insert(entry.id.value());
  if (entries.empty()) throw ApiError("EmptyBatchRequest", "The batch request is empty.");
  if (entries.size() > kMostInABatch)
    throw ApiError("TooManyEntriesInBatchRequest",
                   "The batch request contains more entries than permissible.");
  if (ids.size() != entries.size())
    throw ApiError("BatchEntryIdsNotDistinct", "Two or more batch entries have the same Id.");
  op::PublishBatch::Response response;
  response.failed.give();
  response.successful.give();
  for (const auto& entry : entries) {
    try {
      const auto made = topics.publish(arn, read_publication(entry));
      response.successful.push_back({.id = entry.id, .message_id = made.id});
      if (!made.sequence.empty()) response.successful.back().sequence_number = made.sequence;
    } catch (const ApiError& refused) {
      response.failed.push_back({.code = refused.code(),
                                 .id = entry.id,
                                 .message = refused.what(),
                                 .sender_fault = true});
    }
  }
  return response;
}

}  // namespace fakes::sns
