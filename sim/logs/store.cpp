#include "sim/logs/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace sim::logs {
namespace {

constexpr Duration kDay = std::chrono::hours{24};
constexpr Duration kOldest = 14 * kDay, kNewest = std::chrono::hours{2};
constexpr std::size_t kLongestName = 512;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

ApiError invalid(const std::string& why) { return ApiError("InvalidParameterException", why); }
ApiError misnamed(std::string_view name, const char* member, const char* must) {
  return invalid(
      fmt::format("1 validation error detected: Value '{}' at '{}' failed to satisfy constraint: "
                  "Member must {}",
                  name, member, must));
}

// API reference, CreateLogGroup and CreateLogStream.
void check_group_name(std::string_view name) {
  const auto allowed = [](char c) {
    return is_letter_or_digit(c) || std::string_view("._-/#").find(c) != std::string_view::npos;
  };
  if (name.empty() || !std::ranges::all_of(name, allowed))
    throw misnamed(name, "logGroupName",
                   "satisfy regular expression pattern: [\\.\\-_/#A-Za-z0-9]+");
  if (name.size() > kLongestName)
    throw misnamed(name, "logGroupName", "have length less than or equal to 512");
}
void check_stream_name(std::string_view name) {
  if (name.empty() || name.find_first_of(":*") != name.npos)
    throw misnamed(name, "logStreamName", "satisfy regular expression pattern: [^:*]*");
  if (name.size() > kLongestName)
    throw misnamed(name, "logStreamName", "have length less than or equal to 512");
}

void check_batch(const std::vector<NewEvent>& events) {
  std::uint64_t bytes = 0;
  for (const NewEvent& event : events) {
    const std::uint64_t size = size_of(event.message);
    if (size > kLargestEvent)
      throw invalid(
          fmt::format("Log event too large: {} bytes exceeds limit of {}", size, kLargestEvent));
    bytes += size;
  }
  if (bytes > kLargestBatch)
    throw invalid(
        fmt::format("Upload too large: {} bytes exceeds limit of {}", bytes, kLargestBatch));
  if (!std::ranges::is_sorted(events, {}, &NewEvent::time))
    throw invalid("Log events in a single PutLogEvents request must be in chronological order.");
  if (!events.empty() &&
      events.back().time - events.front().time > kDay / std::chrono::milliseconds{1})
    throw invalid(
        "The batch of log events in a single PutLogEvents request cannot span more than 24 hours.");
}

Time next_midnight(Time t) { return std::chrono::ceil<std::chrono::days>(t); }

Position oldest(const Group& group) {
  Position first{INT64_MAX, 0};
  for (const auto& [name, stream] : group.streams)
    if (!stream.events.empty()) first = std::min(first, stream.events.front().at);
  return first;
}

}  // namespace

std::int64_t milliseconds(Time t) {
  return std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count();
}

Group& Store::find(const std::string& name) {
  const auto found = groups_.find(name);
  if (found == groups_.end())
    throw ApiError("ResourceNotFoundException", "The specified log group does not exist.");
  return found->second;
}

Stream& Store::find(const std::string& group, const std::string& stream) {
  auto& streams = find(group).streams;
  const auto found = streams.find(stream);
  if (found == streams.end())
    throw ApiError("ResourceNotFoundException", "The specified log stream does not exist.");
  return found->second;
}

const Group& Store::group(const std::string& name) const {
  return const_cast<Store*>(this)->find(name);
}
const Stream& Store::stream(const std::string& group, const std::string& stream) const {
  return const_cast<Store*>(this)->find(group, stream);
}

void Store::create_group(const std::string& name, Group group) {
  check_group_name(name);
  if (groups_.contains(name))
    throw ApiError("ResourceAlreadyExistsException", "The specified log group already exists");
  group.created = milliseconds(simulation_.now());
  groups_.emplace(name, std::move(group));
}

void Store::create_stream(const std::string& group, const std::string& stream) {
  check_stream_name(stream);
  Stream fresh{.created = milliseconds(simulation_.now())};
  if (!find(group).streams.emplace(stream, std::move(fresh)).second)
    throw ApiError("ResourceAlreadyExistsException", "The specified log stream already exists");
}

void Store::delete_group(const std::string& name) {
  Group& group = find(name);
  count(group, 0, group.bytes);
  if (group.expiry) simulation_.cancel(*group.expiry);
  groups_.erase(name);
}

void Store::delete_stream(const std::string& group, const std::string& stream) {
  std::uint64_t bytes = 0;
  for (const Event& event : find(group, stream).events) bytes += size_of(event.message);
  count(find(group), 0, bytes);
  find(group).streams.erase(stream);
}

void Store::set_tags(const std::string& group, std::map<std::string, std::string> tags) {
  find(group).tags = std::move(tags);
}

void Store::append(const std::string& group, const std::string& stream, std::int64_t time_ms,
                   std::string_view message) {
  if (!groups_.contains(group)) create_group(group);
  if (!find(group).streams.contains(stream)) create_stream(group, stream);
  constexpr std::size_t kMost = kLargestEvent - 26;
  for (; !message.empty(); message.remove_prefix(std::min(kMost, message.size())))
    add(find(group), find(group, stream), time_ms, std::string(message.substr(0, kMost)));
  expire_later(group, find(group));
}

Rejected Store::put(const std::string& group, const std::string& stream,
                    const std::vector<NewEvent>& events) {
  Stream& to = find(group, stream);
  Group& in = find(group);
  check_batch(events);
  const auto taken_from = [&](Duration age) {
    const auto first = std::ranges::lower_bound(events, milliseconds(simulation_.now() - age), {},
                                                &NewEvent::time);
    return static_cast<std::size_t>(first - events.begin());
  };
  Rejected rejected;
  std::size_t begin = taken_from(kOldest), end = events.size();
  if (begin > 0) rejected.old_end = begin;
  if (const auto days = in.retention_days; days && taken_from(*days * kDay) > begin)
    rejected.expired_end = begin = taken_from(*days * kDay);
  const auto late = std::ranges::upper_bound(events, milliseconds(simulation_.now() + kNewest), {},
                                             &NewEvent::time);
  if (late != events.end()) {
    end = static_cast<std::size_t>(late - events.begin());
    rejected.new_begin = end;
  }
  ++to.batches;
  for (std::size_t i = begin; i < end; ++i) add(in, to, events[i].time, events[i].message);
  expire_later(group, in);
  return rejected;
}

void Store::add(Group& group, Stream& stream, std::int64_t time, std::string message) {
  Event event{.at = {time, ++events_},
              .ingested = milliseconds(simulation_.now()),
              .message = std::move(message)};
  stream.last_ingested = event.ingested;
  const std::uint64_t size = size_of(event.message);
  ingested_ += size;
  count(group, size, 0);
  const auto place = std::ranges::upper_bound(stream.events, event.at, {}, &Event::at);
  stream.events.insert(place, std::move(event));
}

void Store::count(Group& group, std::uint64_t more, std::uint64_t less) {
  byte_seconds_ = byte_seconds();
  counted_ = simulation_.now();
  group.bytes += more - less;
  bytes_ += more - less;
}

double Store::byte_seconds() const {
  return byte_seconds_ + static_cast<double>(bytes_) * seconds(simulation_.now() - counted_);
}

void Store::set_retention(const std::string& group, std::optional<int> days) {
  Group& in = find(group);
  in.retention_days = days;
  if (in.expiry) simulation_.cancel(*in.expiry);
  in.expiry.reset();
  expire_later(group, in);
}

// At most one check of a group is pending at a time. AWS takes up to 72 hours (API reference,
// PutRetentionPolicy).
void Store::expire_later(const std::string& name, Group& group) {
  if (group.expiry || !group.retention_days || oldest(group).time == INT64_MAX) return;
  const Time first{std::chrono::milliseconds{oldest(group).time}};
  const Time due = next_midnight(first + *group.retention_days * kDay);
  group.expiry = simulation_.at(std::max(due, next_midnight(simulation_.now())),
                                [this, name] { expire(name); });
}

void Store::expire(const std::string& name) {
  const auto found = groups_.find(name);
  if (found == groups_.end()) return;
  Group& group = found->second;
  group.expiry.reset();
  if (!group.retention_days) return;
  const Position end{milliseconds(simulation_.now() - *group.retention_days * kDay), 0};
  std::uint64_t bytes = 0;
  for (auto& [stream_name, stream] : group.streams) {
    const auto kept = std::ranges::lower_bound(stream.events, end, {}, &Event::at);
    for (const Event& event : std::span(stream.events.begin(), kept))
      bytes += size_of(event.message);
    stream.events.erase(stream.events.begin(), kept);
  }
  count(group, 0, bytes);
  expire_later(name, group);
}

}  // namespace sim::logs
