// The state of Amazon CloudWatch Logs: groups of streams of events. Every part of the simulator
// that writes a log there calls append().
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/error.h"
#include "sim/kernel/simulation.h"

namespace sim::logs {

using cloud::ApiError;

// The service's times: milliseconds since 1970.
std::int64_t milliseconds(Time t);

// The place of an event among all events of the account: ordered by time, then by arrival.
struct Position {
  std::int64_t time = 0;
  std::uint64_t number = 0;
  auto operator<=>(const Position&) const = default;
};

struct Event {
  Position at;
  std::int64_t ingested = 0;
  std::string message;  // not empty
};

// The size of an event for limits and for the bill (API reference, PutLogEvents).
inline std::uint64_t size_of(std::string_view message) { return message.size() + 26; }
inline constexpr std::uint64_t kLargestEvent = 256 * 1024, kLargestBatch = 1024 * 1024;

struct Stream {
  std::int64_t created = 0;
  std::vector<Event> events = {};  // in order
  std::optional<std::int64_t> last_ingested = {};
  std::uint64_t batches = 0;  // number of batches so far
};

struct Group {
  std::int64_t created = 0;
  std::map<std::string, std::string> tags = {};
  std::string key = {};  // the encryption key, as the client named it
  std::optional<int> retention_days = {};
  std::map<std::string, Stream> streams = {};
  std::uint64_t bytes = 0;
  std::optional<EventId> expiry = {};  // the simulation event that drops expired log events
};

// An event in a client's request.
struct NewEvent {
  std::int64_t time = 0;
  std::string message;
};
// The rejected part of a batch: the events before index `old_end`, before `expired_end`, and from
// `new_begin` on.
struct Rejected {
  std::optional<std::size_t> old_end = {}, expired_end = {}, new_begin = {};
};

// All groups and streams of the account. Functions throw ApiError with the service's error codes.
class Store {
 public:
  explicit Store(Simulation& simulation) : simulation_(simulation), counted_(simulation.now()) {}

  // Writes to a group and a stream, which are made if they do not exist. A message is cut to the
  // largest size of an event; an empty message is dropped.
  void append(const std::string& group, const std::string& stream, std::int64_t time_ms,
              std::string_view message);

  const std::map<std::string, Group>& groups() const { return groups_; }
  const Group& group(const std::string& name) const;  // or ResourceNotFoundException
  const Stream& stream(const std::string& group, const std::string& stream) const;  // likewise

  // Throws InvalidParameterException for an invalid name, and ResourceAlreadyExistsException.
  void create_group(const std::string& name, Group group = {});
  void create_stream(const std::string& group, const std::string& stream);
  void delete_group(const std::string& name);
  void delete_stream(const std::string& group, const std::string& stream);
  // Events older than this many days are deleted at the next midnight UTC. Empty: they stay.
  void set_retention(const std::string& group, std::optional<int> days);
  void set_tags(const std::string& group, std::map<std::string, std::string> tags);

  // Adds a batch by the rules of PutLogEvents: in order of time, within 24 hours, and at most 1
  // MiB. Events older than 14 days or the retention, or more than 2 hours in the future, are
  // rejected.
  Rejected put(const std::string& group, const std::string& stream,
               const std::vector<NewEvent>& events);

  // For the bill: the bytes received, and the sum of stored bytes × seconds until now.
  std::uint64_t ingested() const { return ingested_; }
  double byte_seconds() const;

 private:
  Group& find(const std::string& name);
  Stream& find(const std::string& group, const std::string& stream);
  void add(Group& group, Stream& stream, std::int64_t time, std::string message);
  void count(Group& group, std::uint64_t more, std::uint64_t less);
  void expire_later(const std::string& name, Group& group);
  void expire(const std::string& name);

  Simulation& simulation_;
  std::map<std::string, Group> groups_;
  std::uint64_t events_ = 0;  // number of events so far
  std::uint64_t ingested_ = 0;
  std::uint64_t bytes_ = 0;
  double byte_seconds_ = 0;  // until counted_
  Time counted_;
};

}  // namespace sim::logs
