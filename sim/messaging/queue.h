// A queue and its settings.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/simulation.h"
#include "sim/messaging/message.h"

namespace sim::messaging {

// The dead-letter queue, which gets messages that were received too often. An empty ARN: none.
struct RedrivePolicy {
  std::string arn;
  int most_receives = 0;
};

struct QueueSettings {
  Duration delay{};
  Duration retention = std::chrono::hours{96};
  Duration wait{};  // for a receiver that does not state how long it waits
  Duration visibility = std::chrono::seconds{30};
  int largest_message = 1048576;  // bytes
  bool fifo = false;
  bool content_based_deduplication = false;
  RedrivePolicy redrive = {};
  // All attributes that clients have set, as they are shown again.
  std::map<std::string, std::string> shown = {};
};

// A received message as its receiver sees it.
struct Received {
  Message message;
  std::string receipt_handle;
};

// A receiver that waits.
struct Receiver {
  std::size_t most = 1;
  std::optional<Duration> visibility = {};               // empty: the queue's
  std::function<bool()> listens = {};                    // false: it has left
  std::function<void(std::vector<Received>)> take = {};  // empty when its time is over
  EventId timeout = {};
};

// A queue with its messages and its waiting receivers. Only Queues changes it.
struct Queue {
  std::string name, arn;
  QueueSettings settings;
  std::map<std::string, std::string> tags = {};
  Time created{}, modified{};
  std::optional<Time> purged = {};
  std::map<std::uint64_t, Message> messages = {};  // in order of arrival
  // A FIFO queue's answers to senders of the last five minutes, by deduplication ID.
  struct Sent {
    std::string id, sequence;
    Time at{};
  };
  std::map<std::string, Sent> recent = {};
  std::list<Receiver> receivers = {};  // in order of arrival
  std::optional<EventId> wake = {};    // the next message becomes visible
};

}  // namespace sim::messaging
