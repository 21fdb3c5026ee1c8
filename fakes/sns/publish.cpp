// Messages to topics.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fakes/messaging.h"
#include "fakes/sns/actions.h"
#include "sim/cloud/error.h"

namespace fakes::sns {
namespace {

using sim::cloud::ApiError;
using sim::messaging::Publication;

constexpr std::size_t kMostInABatch = 10, kLargestBatch = 262144;

std::size_t size_of(const Publication& publication) {
  std::size_t size = publication.message.size();
  for (const auto& [name, attribute] : publication.attributes)
    size += name.size() + attribute.type.size() + attribute.value.size();
  return size;
}

bool is_number(const std::string& text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// Throws ApiError ParameterValueInvalid if the attribute's type and value do not fit.
void check_attribute(const std::string& name, const std::string& type, const std::string& value) {
  const auto invalid = [](const std::string& why) {
    return ApiError("ParameterValueInvalid", why);
  };
  if (type.empty())
    throw invalid("The message attribute '" + name +
                  "' must contain non-empty message attribute type.");
  constexpr std::string_view kTypes[] = {"Binary", "Number", "String"};
  if (std::ranges::find(kTypes, std::string_view(type).substr(0, type.find('.'))) ==
      std::end(kTypes))
    throw invalid("The message attribute '" + name +
                  "' has an invalid message attribute type, the set of supported type prefixes is "
                  "Binary, Number, and String.");
  if (value.empty())
    throw invalid("The message attribute '" + name +
                  "' must contain non-empty message attribute value.");
  if (type.starts_with("Number") && !is_number(value))
    throw invalid("Could not cast message attribute '" + name + "' value to number.");
}

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
    check_attribute(name, type, content);
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

// One invalid entry makes the whole request invalid, unlike SQS's batches.
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
    throw ApiError("BatchEntryIdsNotDistinct",
                   "Two or more batch entries in the request have the same Id.");
  std::vector<Publication> publications;
  std::size_t size = 0;
  for (const auto& entry : entries) {
    publications.push_back(read_publication(entry));
    topics.check(arn, publications.back());
    size += size_of(publications.back());
  }
  if (size > kLargestBatch)
    throw ApiError("BatchRequestTooLong",
                   "The length of all the batch messages put together is more than the limit.");
  op::PublishBatch::Response response;
  response.failed.give();
  response.successful.give();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto made = topics.publish(arn, publications[i]);
    response.successful.push_back({.id = entries[i].id, .message_id = made.id});
    if (!made.sequence.empty()) response.successful.back().sequence_number = made.sequence;
  }
  return response;
}

}  // namespace fakes::sns
