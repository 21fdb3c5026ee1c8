// Receives messages, hides them for longer, and deletes them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fakes/sqs/actions.h"
#include "fakes/sqs/requests.h"

namespace fakes::sqs {
namespace {

using sim::messaging::Attributes;
using sim::messaging::Message;
using sim::messaging::Received;

constexpr std::int64_t kLongestWait = 20, kLongestVisibility = 43200, kMostMessages = 10;

std::string milliseconds(sim::Time t) {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count());
}

std::map<std::string, std::string> system_attributes(const Message& message) {
  std::map<std::string, std::string> all{
      {"ApproximateReceiveCount", std::to_string(message.receives)},
      {"SenderId", message.sent.sender},
      {"SentTimestamp", milliseconds(message.sent_at)}};
  if (message.first_received)
    all["ApproximateFirstReceiveTimestamp"] = milliseconds(*message.first_received);
  const std::pair<const char*, const std::string&> optional[] = {
      {"AWSTraceHeader", message.sent.trace_header},
      {"DeadLetterQueueSourceArn", message.source_arn},
      {"MessageDeduplicationId", message.sent.deduplication},
      {"MessageGroupId", message.sent.group},
      {"SequenceNumber", message.sequence}};
  for (const auto& [name, value] : optional)
    if (!value.empty()) all[name] = value;
  return all;
}

// True if the request asks for the name: by "All", ".*", the name, or the beginning of names such
// as "job.*" (API reference, ReceiveMessage).
bool asks_for(const std::string& asked, const std::string& name) {
  if (asked == "All" || asked == ".*") return true;
  if (asked.ends_with(".*")) return name.starts_with(asked.substr(0, asked.size() - 2));
  return asked == name;
}

// The parts of messages that a receiver asks for.
struct Wanted {
  std::vector<std::string> attributes, message_attributes;
};

api::sqs::MessageAttributeValue shown(const sim::messaging::Attribute& attribute) {
  api::sqs::MessageAttributeValue value{.data_type = attribute.type};
  (attribute.type.starts_with("Binary") ? value.binary_value : value.string_value) =
      attribute.value;
  return value;
}

api::sqs::Message shown(const Received& received, const Wanted& wanted) {
  const auto any = [](const std::vector<std::string>& asked, const std::string& name) {
    return std::ranges::any_of(asked, [&](const auto& one) { return asks_for(one, name); });
  };
  const Message& message = received.message;
  api::sqs::Message out{.body = message.sent.body,
                        .md5_of_body = sim::messaging::md5_of(message.sent.body),
                        .message_id = message.id,
                        .receipt_handle = received.receipt_handle};
  for (const auto& [name, value] : system_attributes(message))
    if (any(wanted.attributes, name)) out.attributes[name] = value;
  Attributes attributes;
  for (const auto& [name, value] : message.sent.attributes)
    if (any(wanted.message_attributes, name)) attributes[name] = value;
  for (const auto& [name, value] : attributes) out.message_attributes[name] = shown(value);
  if (!attributes.empty()) out.md5_of_message_attributes = sim::messaging::md5_of(attributes);
  return out;
}

op::ReceiveMessage::Response shown(const std::vector<Received>& messages, const Wanted& wanted) {
  op::ReceiveMessage::Response response;
  for (const Received& each : messages) response.messages.push_back(shown(each, wanted));
  return response;
}

std::size_t most_in(const op::ReceiveMessage::Request& request) {
  const std::int64_t most = request.max_number_of_messages.value_or(1);
  if (most < 1 || most > kMostMessages)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value {} for parameter MaxNumberOfMessages is invalid. Reason: "
                               "Must be between 1 and 10, if provided.",
                               most));
  return static_cast<std::size_t>(most);
}

}  // namespace

op::ReceiveMessage::Response receive_message(Call& call,
                                             const op::ReceiveMessage::Request& request) {
  const std::string name = queues(call).queue(name_in(request.queue_url.value())).name;
  const std::size_t most = most_in(request);
  const auto visibility =
      seconds_in(request.visibility_timeout, "VisibilityTimeout", kLongestVisibility);
  const auto wait = seconds_in(request.wait_time_seconds, "WaitTimeSeconds", kLongestWait)
                        .value_or(queues(call).queue(name).settings.wait);
  Wanted wanted{request.attribute_names, request.message_attribute_names};
  wanted.attributes.insert(wanted.attributes.end(), request.message_system_attribute_names.begin(),
                           request.message_system_attribute_names.end());
  const auto messages = queues(call).receive(name, {most, visibility});
  if (!messages.empty() || wait == sim::Duration::zero()) return shown(messages, wanted);
  call.pending = [&all = queues(call), name, most, visibility, wait, wanted](WaitingCaller caller) {
    all.wait(name,
             {.most = most,
              .visibility = visibility,
              .listens = std::move(caller.listens),
              .take =
                  [respond = std::move(caller.respond), wanted](const auto& received) {
                    respond(std::make_shared<const op::ReceiveMessage::Response>(
                        shown(received, wanted)));
                  }},
             wait);
  };
  return {};
}

op::DeleteMessage::Response delete_message(Call& call, const op::DeleteMessage::Request& request) {
  queues(call).acknowledge(name_in(request.queue_url.value()), request.receipt_handle.value());
  return {};
}

op::DeleteMessageBatch::Response delete_batch(Call& call,
                                              const op::DeleteMessageBatch::Request& request) {
  const std::string name = queues(call).queue(name_in(request.queue_url.value())).name;
  return batch<op::DeleteMessageBatch::Response>(call, request.entries, [&](const auto& entry) {
    queues(call).acknowledge(name, entry.receipt_handle.value());
    return api::sqs::DeleteMessageBatchResultEntry{.id = entry.id};
  });
}

op::ChangeMessageVisibility::Response change_visibility(
    Call& call, const op::ChangeMessageVisibility::Request& request) {
  queues(call).set_visibility(
      name_in(request.queue_url.value()), request.receipt_handle.value(),
      *seconds_in(request.visibility_timeout, "VisibilityTimeout", kLongestVisibility));
  return {};
}

op::ChangeMessageVisibilityBatch::Response change_visibility_batch(
    Call& call, const op::ChangeMessageVisibilityBatch::Request& request) {
  const std::string name = queues(call).queue(name_in(request.queue_url.value())).name;
  return batch<op::ChangeMessageVisibilityBatch::Response>(
      call, request.entries, [&](const auto& entry) {
        const auto visibility =
            seconds_in(entry.visibility_timeout, "VisibilityTimeout", kLongestVisibility);
        if (!visibility)
          throw ApiError("MissingParameter",
                         "The request must contain the parameter VisibilityTimeout.");
        queues(call).set_visibility(name, entry.receipt_handle.value(), *visibility);
        return api::sqs::ChangeMessageVisibilityBatchResultEntry{.id = entry.id};
      });
}

}  // namespace fakes::sqs
