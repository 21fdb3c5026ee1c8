// A message of a queue.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/kernel/time.h"

namespace sim::messaging {

// An attribute that the sender adds: its type is "String", "Number" or "Binary", and may have a
// label of the sender's own ("Number.float").
struct Attribute {
  std::string type, value;
  bool operator==(const Attribute&) const = default;
};
using Attributes = std::map<std::string, Attribute>;

// A message as its sender gives it.
struct NewMessage {
  std::string body;
  Attributes attributes = {};
  std::string trace_header = {};  // AWSTraceHeader
  std::string sender = {};
  std::optional<Duration> delay = {};  // empty: the queue's
  std::string group = {}, deduplication = {};
};

struct Message {
  std::string id;
  NewMessage sent;
  Time sent_at{};
  std::string sequence = {};  // of a FIFO queue: 20 digits
  Time visible_at{};
  Time expires{};
  int receives = 0;
  std::optional<Time> first_received = {};
  std::string source_arn = {};  // the queue that moved it to this dead-letter queue

  bool in_flight(Time now) const { return receives > 0 && visible_at > now; }
  bool delayed(Time now) const { return receives == 0 && visible_at > now; }
};

// MD5 in hexadecimal digits: of a body, and of attributes (SQS Developer Guide, "Calculating the
// MD5 message digest for message attributes").
std::string md5_of(const std::string& body);
std::string md5_of(const Attributes& attributes);

}  // namespace sim::messaging
