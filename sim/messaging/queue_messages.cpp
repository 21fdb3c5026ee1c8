// The messages of queues: sending, receiving, deleting, and dead-letter queues.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text/base64.h"
#include "sim/cloud/error.h"
#include "sim/messaging/queues.h"
#include "sim/objects/digest.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;

constexpr Duration kDeduplication = std::chrono::minutes{5};
constexpr std::size_t kMostInFlight = 120'000, kMostAttributes = 10;

// True for a text of characters that XML 1.0 allows; other texts are refused (API reference,
// SendMessage).
bool is_content(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r';
  });
}

std::size_t size_of(const NewMessage& message) {
  std::size_t size = message.body.size();
  for (const auto& [name, attribute] : message.attributes)
    size += name.size() + attribute.type.size() + attribute.value.size();
  return size;
}

ApiError bad_argument(const std::string& why) { return {"InvalidParameterValue", why}; }

}  // namespace

void Queues::check(const Queue& queue, const NewMessage& message) const {
  if (message.body.empty())
    throw ApiError("MissingParameter", "The request must contain the parameter MessageBody.");
  if (!is_content(message.body))
    throw ApiError("InvalidMessageContents",
                   "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 "
                   "to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF");
  const auto most = static_cast<std::size_t>(queue.settings.largest_message);
  if (size_of(message) > most)
    throw bad_argument(fmt::format(
        "One or more parameters are invalid. Reason: Message must be shorter than {} bytes.",
        most));
  if (message.attributes.size() > kMostAttributes)
    throw bad_argument(
        fmt::format("Number of message attributes [{}] exceeds the allowed maximum [{}].",
                    message.attributes.size(), kMostAttributes));
  if (!queue.settings.fifo) {
    if (!message.deduplication.empty())
      throw bad_argument(
          "The request include parameter MessageDeduplicationId which is not valid for "
          "this queue type");
    return;
  }
  if (message.group.empty())
    throw ApiError("MissingParameter", "The request must contain the parameter MessageGroupId.");
  if (message.delay)
    throw bad_argument(
        fmt::format("Value {} for parameter DelaySeconds is invalid. Reason: The request "
                    "include parameter that is not valid for this queue type.",
                    seconds(*message.delay)));
  if (message.deduplication.empty() && !queue.settings.content_based_deduplication)
    throw bad_argument(
        "The queue should either have ContentBasedDeduplication enabled or "
        "MessageDeduplicationId provided explicitly");
}

SentMessage Queues::send(const std::string& name, NewMessage message) {
  Queue& queue = own(name);
  check(queue, message);
  const Time now = simulation_.now();
  if (queue.settings.fifo) {
    if (message.deduplication.empty())
      message.deduplication =
          objects::to_hex(objects::digest_of(objects::Algorithm::kSha256, message.body));
    std::erase_if(queue.recent,
                  [now](const auto& entry) { return now - entry.second.at >= kDeduplication; });
    if (const auto before = queue.recent.find(message.deduplication); before != queue.recent.end())
      return {before->second.id, before->second.sequence};
  }
  Message arrived;
  arrived.id = ids_.uuid("message");
  arrived.sent_at = now;
  arrived.visible_at = now + message.delay.value_or(queue.settings.delay);
  arrived.expires = now + queue.settings.retention;
  const std::uint64_t number = ++arrivals_;
  if (queue.settings.fifo) {
    arrived.sequence = fmt::format("{:020}", 18'000'000'000'000'000'000ull + number * 256);
    queue.recent[message.deduplication] = {arrived.id, arrived.sequence, now};
  }
  arrived.sent = std::move(message);
  const SentMessage answer{arrived.id, arrived.sequence};
  queue.messages.emplace(number, std::move(arrived));
  serve_receivers(queue);
  return answer;
}

void Queues::drop_expired(Queue& queue) {
  const Time now = simulation_.now();
  std::erase_if(queue.messages, [now](const auto& entry) { return entry.second.expires <= now; });
}

std::vector<Received> Queues::receive(const std::string& name, const Receive& asked) {
  return take(own(name), asked);
}

// Takes visible messages. While a message of a group is hidden, a FIFO queue keeps back the group's
// later messages (SQS Developer Guide, "FIFO queue delivery logic").
std::vector<Received> Queues::take(Queue& queue, const Receive& asked) {
  drop_expired(queue);
  const Time now = simulation_.now();
  const auto in_flight = [now](const auto& entry) { return entry.second.in_flight(now); };
  if (static_cast<std::size_t>(std::ranges::count_if(queue.messages, in_flight)) >= kMostInFlight)
    throw ApiError("OverLimit", "Too many messages in flight", 403);
  std::vector<Received> received;
  std::vector<std::uint64_t> dead;
  std::set<std::string> held;
  const RedrivePolicy& redrive = queue.settings.redrive;
  const bool redrives = find_arn(redrive.arn) != nullptr && redrive.arn != queue.arn;
  for (auto& [number, message] : queue.messages) {
    if (received.size() == asked.most) break;
    if (queue.settings.fifo && held.contains(message.sent.group)) continue;
    if (message.visible_at > now) {
      held.insert(message.sent.group);
    } else if (redrives && message.receives >= redrive.most_receives) {
      dead.push_back(number);
    } else {
      received.push_back(
          hand_out(queue, number, message, asked.visibility.value_or(queue.settings.visibility)));
    }
  }
  for (const std::uint64_t number : dead) to_dead_letters(queue, number);
  return received;
}

// The handle names the queue, the message's number and how often it has been received.
Received Queues::hand_out(const Queue& queue, std::uint64_t number, Message& message,
                          Duration visibility) {
  const Time now = simulation_.now();
  ++message.receives;
  if (!message.first_received) message.first_received = now;
  message.visible_at = now + visibility;
  return {message,
          base::base64_encode(fmt::format("{} {} {}", queue.name, number, message.receives))};
}

// Moves a message to the dead-letter queue. The message keeps its ID and the time at which it was
// sent. Its retention continues in a standard queue, and starts again in a FIFO queue (SQS
// Developer Guide, "Using dead-letter queues").
void Queues::to_dead_letters(Queue& queue, std::uint64_t number) {
  auto node = queue.messages.extract(number);
  Message& message = node.mapped();
  Queue& target = own(find_arn(queue.settings.redrive.arn)->name);
  const Time now = simulation_.now();
  message.source_arn = queue.arn;
  message.receives = 0;
  message.first_received.reset();
  message.visible_at = now;
  message.expires = (target.settings.fifo ? now : message.sent_at) + target.settings.retention;
  node.key() = ++arrivals_;
  target.messages.insert(std::move(node));
  // The move is a separate event, because two queues may be each other's dead-letter queue.
  simulation_.after({}, [this, name = target.name] {
    if (queues_.contains(name)) serve_receivers(own(name));
  });
}

void Queues::wait(const std::string& name, Receiver receiver, Duration longest) {
  Queue& queue = own(name);
  const auto place = queue.receivers.insert(queue.receivers.end(), std::move(receiver));
  place->timeout = simulation_.after(longest, [this, name, place] { end_wait(name, place); });
  serve_receivers(queue);
}

// A deleted queue has no receivers, so the queue of the event is still the receiver's.
void Queues::end_wait(const std::string& name, std::list<Receiver>::iterator receiver) {
  Queue& queue = own(name);
  const auto take = std::move(receiver->take);
  queue.receivers.erase(receiver);
  wake_at_next(queue);
  take({});
}

void Queues::serve_receivers(Queue& queue) {
  while (!queue.receivers.empty()) {
    Receiver& first = queue.receivers.front();
    std::vector<Received> messages;
    if (!first.listens || first.listens()) {
      messages = take(queue, {first.most, first.visibility});
      if (messages.empty()) break;
    }
    const auto taken = std::move(first.take);
    simulation_.cancel(first.timeout);
    queue.receivers.pop_front();
    // The call is a separate event, because the receiver may call this object again.
    simulation_.after({}, [taken, messages = std::move(messages)] { taken(messages); });
  }
  wake_at_next(queue);
}

void Queues::wake_at_next(Queue& queue) {
  if (queue.wake) simulation_.cancel(*std::exchange(queue.wake, {}));
  if (queue.receivers.empty()) return;
  std::optional<Time> next;
  for (const auto& [number, message] : queue.messages)
    if (message.visible_at > simulation_.now() && (!next || message.visible_at < *next))
      next = message.visible_at;
  if (!next) return;
  queue.wake = simulation_.at(*next, [this, name = queue.name] {
    Queue& woken = own(name);
    woken.wake.reset();
    serve_receivers(woken);
  });
}

}  // namespace sim::messaging
