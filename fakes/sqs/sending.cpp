// Sends messages.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/sqs/actions.h"
#include "fakes/sqs/requests.h"

namespace fakes::sqs {
namespace {

using sim::messaging::Attribute;
using sim::messaging::Attributes;
using sim::messaging::NewMessage;

constexpr std::int64_t kLongestDelay = 900;
constexpr std::size_t kLargestBatch = 1024 * 1024;

template <class Value>
Attribute attribute_in(const std::string& name, const Value& value) {
  const std::string& type = value.data_type.value();
  const auto is_a = [&](const std::string& kind) {
    return type == kind || type.starts_with(kind + ".");
  };
  if (!is_a("String") && !is_a("Number") && !is_a("Binary"))
    throw ApiError("InvalidParameterValue",
                   fmt::format("The message attribute '{}' has an invalid message attribute type, "
                               "the set of supported type prefixes is Binary, Number, and String.",
                               name));
  std::string content = value.string_value.value_or("");
  if constexpr (requires { value.binary_value; })
    if (is_a("Binary")) content = value.binary_value.value_or("");
  if (content.empty())
    throw ApiError("InvalidParameterValue",
                   fmt::format("The message attribute '{}' must contain non-empty message "
                               "attribute value for message attribute type '{}'.",
                               name, type.substr(0, type.find('.'))));
  return {type, content};
}

// SQS Developer Guide, "Amazon SQS message attributes": "Name". Names differ by case.
void check_name(const std::string& name) {
  if (name.empty())
    throw ApiError("InvalidParameterValue",
                   "The request must contain non-empty message attribute name.");
  const bool is_valid = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  if (!is_valid)
    throw ApiError("InvalidParameterValue",
                   fmt::format("The message attribute name '{}' is invalid. Attribute name can "
                               "contain A-Z, a-z, 0-9, underscore (_), hyphen (-), and period (.) "
                               "characters.",
                               name));
}

template <class Values>
Attributes attributes_in(const Values& values) {
  Attributes attributes;
  for (const auto& [name, value] : values) {
    check_name(name);
    attributes[name] = attribute_in(name, value);
  }
  return attributes;
}

// The fields of a message that both requests share.
template <class Sent>
NewMessage read_message(const Call& call, const Sent& sent) {
  NewMessage message{.body = sent.message_body.value_or(""),
                     .attributes = attributes_in(sent.message_attributes),
                     .sender = std::string(call.caller),
                     .delay = seconds_in(sent.delay_seconds, "DelaySeconds", kLongestDelay),
                     .group = sent.message_group_id.value_or(""),
                     .deduplication = sent.message_deduplication_id.value_or("")};
  const auto system = attributes_in(sent.message_system_attributes);
  if (const auto trace = system.find("AWSTraceHeader"); trace != system.end())
    message.trace_header = trace->second.value;
  return message;
}

// The fields of an answer that both responses share.
template <class Answer, class Sent>
Answer send_one(Call& call, const std::string& queue, const Sent& sent) {
  const NewMessage message = read_message(call, sent);
  const auto [id, sequence] = queues(call).send(queue, message);
  Answer answer;
  answer.message_id = id;
  answer.md5_of_message_body = sim::messaging::md5_of(message.body);
  if (!message.attributes.empty())
    answer.md5_of_message_attributes = sim::messaging::md5_of(message.attributes);
  const auto system = attributes_in(sent.message_system_attributes);
  if (!system.empty()) answer.md5_of_message_system_attributes = sim::messaging::md5_of(system);
  if (!sequence.empty()) answer.sequence_number = sequence;
  return answer;
}

}  // namespace

op::SendMessage::Response send_message(Call& call, const op::SendMessage::Request& request) {
  return send_one<op::SendMessage::Response>(call, name_in(request.queue_url.value()), request);
}

op::SendMessageBatch::Response send_batch(Call& call,
                                          const op::SendMessageBatch::Request& request) {
  const std::string name = queues(call).queue(name_in(request.queue_url.value())).name;
  std::size_t size = 0;
  for (const auto& entry : request.entries) size += entry.message_body.value().size();
  if (size > kLargestBatch)
    throw ApiError(std::string(sim::messaging::kSqsError) + "BatchRequestTooLong",
                   fmt::format("Batch requests cannot be longer than {} bytes. You have sent {} "
                               "bytes.",
                               kLargestBatch, size));
  return batch<op::SendMessageBatch::Response>(call, request.entries, [&](const auto& entry) {
    auto answer = send_one<api::sqs::SendMessageBatchResultEntry>(call, name, entry);
    answer.id = entry.id;
    return answer;
  });
}

}  // namespace fakes::sqs
