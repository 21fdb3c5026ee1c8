#include "sim/messaging/queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text/base64.h"
#include "sim/cloud/error.h"
#include "sim/messaging/queue_settings.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;

constexpr Duration kPause = std::chrono::seconds{60};  // between two purges, and after a deletion

ApiError error(const char* name, const std::string& message, int status = 400) {
  return {std::string(kSqsError) + name, message, status};
}

bool is_name(std::string_view name) {
  const bool fifo = name.ends_with(".fifo");
  const std::string_view stem = fifo ? name.substr(0, name.size() - 5) : name;
  return !stem.empty() && name.size() <= 80 && std::ranges::all_of(stem, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

void check_unchanged(const Queue& queue, const QueueSettings& asked,
                     const std::map<std::string, std::string>& attributes) {
  const auto has = shown(queue.settings), wants = shown(asked);
  for (const auto& [name, value] : attributes)
    if (const auto found = has.find(name); found == has.end() || found->second != wants.at(name))
      throw ApiError("QueueAlreadyExists",
                     fmt::format("A queue already exists with the same name and a different value "
                                 "for attribute {}",
                                 name));
}

}  // namespace

Queues::Queues(Simulation& simulation, const Streams& streams, std::string arn_prefix)
    : simulation_(simulation), ids_(streams), arn_prefix_(std::move(arn_prefix)) {}

Queues::~Queues() {
  for (auto& [name, queue] : queues_) {
    if (queue.wake) simulation_.cancel(*queue.wake);
    for (const Receiver& receiver : queue.receivers) simulation_.cancel(receiver.timeout);
  }
}

const Queue& Queues::create(const std::string& name,
                            const std::map<std::string, std::string>& attributes,
                            const std::map<std::string, std::string>& tags) {
  const bool fifo = name.ends_with(".fifo");
  const auto asked = attributes.find("FifoQueue");
  if (asked != attributes.end() && asked->second == "false")
    throw ApiError("InvalidAttributeName", "Unknown Attribute FifoQueue.");
  if (!is_name(name) || fifo != (asked != attributes.end()))
    throw ApiError("InvalidParameterValue",
                   fifo || asked != attributes.end()
                       ? "The name of a FIFO queue can only include alphanumeric characters, "
                         "hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in "
                         "length"
                       : "Can only include alphanumeric characters, hyphens, or underscores. 1 to "
                         "80 in length");
  QueueSettings settings{.fifo = fifo};
  apply(attributes, fifo, settings);
  if (const auto found = queues_.find(name); found != queues_.end()) {
    check_unchanged(found->second, settings, attributes);
    return found->second;
  }
  const Time now = simulation_.now();
  if (const auto gone = deleted_.find(name); gone != deleted_.end() && now - gone->second < kPause)
    throw error("QueueDeletedRecently",
                "You must wait 60 seconds after deleting a queue before you can create another "
                "with the same name.");
  check_redrive(settings);
  Queue& queue = queues_[name];
  queue = {.name = name, .arn = arn_prefix_ + name, .settings = std::move(settings)};
  queue.tags = tags;
  queue.created = queue.modified = now;
  return queue;
}

void Queues::check_redrive(const QueueSettings& settings) const {
  if (settings.redrive.arn.empty()) return;
  const Queue* const dead = find_arn(settings.redrive.arn);
  if (dead != nullptr && dead->settings.fifo == settings.fifo) return;
  throw ApiError("InvalidParameterValue",
                 fmt::format("Value {} for parameter RedrivePolicy is invalid. Reason: {}",
                             settings.shown.at("RedrivePolicy"),
                             dead == nullptr ? "Dead letter target does not exist."
                                             : "Dead-letter queue must be same type of queue as "
                                               "the source."));
}

const Queue& Queues::queue(const std::string& name) const {
  const auto found = queues_.find(name);
  if (found == queues_.end())
    throw error("NonExistentQueue",
                "The specified queue does not exist or you do not have access to it.");
  return found->second;
}

Queue& Queues::own(const std::string& name) { return const_cast<Queue&>(queue(name)); }

const Queue* Queues::find_arn(const std::string& arn) const {
  if (!arn.starts_with(arn_prefix_)) return nullptr;
  const auto found = queues_.find(arn.substr(arn_prefix_.size()));
  return found == queues_.end() ? nullptr : &found->second;
}

void Queues::remove(const std::string& name) {
  Queue& queue = own(name);
  const auto receivers = std::move(queue.receivers);
  if (queue.wake) simulation_.cancel(*queue.wake);
  queues_.erase(name);
  deleted_[name] = simulation_.now();
  for (const Receiver& receiver : receivers) {
    simulation_.cancel(receiver.timeout);
    receiver.take({});
  }
}

void Queues::purge(const std::string& name) {
  Queue& queue = own(name);
  if (queue.purged && simulation_.now() - *queue.purged < kPause)
    throw error(
        "PurgeQueueInProgress",
        fmt::format("Only one PurgeQueue operation on {} is allowed every 60 seconds.", name), 403);
  queue.purged = simulation_.now();
  queue.messages.clear();
}

void Queues::set_attributes(const std::string& name,
                            const std::map<std::string, std::string>& attributes) {
  Queue& queue = own(name);
  QueueSettings next = queue.settings;
  apply(attributes, queue.settings.fifo, next);
  if (attributes.contains("RedrivePolicy")) check_redrive(next);
  queue.settings = std::move(next);
  queue.modified = simulation_.now();
}

void Queues::set_tags(const std::string& name, std::map<std::string, std::string> tags) {
  own(name).tags = std::move(tags);
}

std::map<std::string, std::string> Queues::attributes(const std::string& name) {
  Queue& queue = own(name);
  drop_expired(queue);
  const Time now = simulation_.now();
  std::int64_t visible = 0, in_flight = 0, delayed = 0;
  for (const auto& [number, message] : queue.messages)
    ++(message.in_flight(now) ? in_flight : message.delayed(now) ? delayed : visible);
  const auto seconds_of = [](Time t) {
    return std::to_string(
        std::chrono::duration_cast<std::chrono::seconds>(t.time_since_epoch()).count());
  };
  auto all = shown(queue.settings);
  all["ApproximateNumberOfMessages"] = std::to_string(visible);
  all["ApproximateNumberOfMessagesNotVisible"] = std::to_string(in_flight);
  all["ApproximateNumberOfMessagesDelayed"] = std::to_string(delayed);
  all["CreatedTimestamp"] = seconds_of(queue.created);
  all["LastModifiedTimestamp"] = seconds_of(queue.modified);
  all["QueueArn"] = queue.arn;
  return all;
}

void Queues::acknowledge(const std::string& name, const std::string& receipt_handle) {
  Queue& queue = own(name);
  std::uint64_t number = 0;
  bool newest = false;
  const Message* const message = of_handle(queue, receipt_handle, number, newest);
  if (message == nullptr || !newest) return;
  const bool late = message->visible_at <= simulation_.now();
  if (late && queue.settings.fifo)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value {} for parameter ReceiptHandle is invalid. Reason: The "
                               "receipt handle has expired.",
                               receipt_handle));
  queue.messages.erase(number);
  serve_receivers(queue);  // the next message of its group may come
}

void Queues::set_visibility(const std::string& name, const std::string& receipt_handle,
                            Duration visibility) {
  Queue& queue = own(name);
  std::uint64_t number = 0;
  bool newest = false;
  Message* const message = of_handle(queue, receipt_handle, number, newest);
  if (message == nullptr)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value {} for parameter ReceiptHandle is invalid. Reason: Message "
                               "does not exist or is not available for visibility timeout change.",
                               receipt_handle));
  if (!newest || !message->in_flight(simulation_.now()))
    throw error("MessageNotInflight", "The message referred to isn't in flight.");
  message->visible_at = simulation_.now() + visibility;
  serve_receivers(queue);
}

// Finds the message of a receipt handle. Null if it is gone. Sets `newest` to false if the message
// has been received again since.
Message* Queues::of_handle(Queue& queue, const std::string& receipt_handle, std::uint64_t& number,
                           bool& newest) {
  const auto text = base::base64_decode(receipt_handle);
  const auto bad = [&] {
    return ApiError("ReceiptHandleIsInvalid",
                    fmt::format("The input receipt handle \"{}\" is not a valid receipt handle.",
                                receipt_handle));
  };
  if (!text || !text->starts_with(queue.name + " ")) throw bad();
  unsigned long long place = 0;
  int receives = 0;
  if (std::sscanf(text->c_str() + queue.name.size(), "%llu %d", &place, &receives) != 2)
    throw bad();
  drop_expired(queue);
  const auto found = queue.messages.find(place);
  if (found == queue.messages.end()) return nullptr;
  number = place;
  newest = found->second.receives == receives;
  return &found->second;
}

}  // namespace sim::messaging
