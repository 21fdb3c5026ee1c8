// What is read of logs, a page at a time: never more is looked at than a page can hold or, of what
// a pattern sorts out, kMostSearched events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/logs/store.h"

namespace sim::logs {

// Events with begin <= time < end.
struct Span {
  std::int64_t begin = 0, end = INT64_MAX;
};
// A page ends before it would hold more: so many events, and kLargestBatch bytes.
inline constexpr std::size_t kMostEvents = 10'000, kMostSearched = 100'000;

// A page of one stream: its events, and the positions at which the pages before and after it end
// and begin.
struct Page {
  const Event* first = nullptr;
  std::size_t count = 0;
  Position begin, end;
};
enum class Direction { kForward, kBackward };
// The events from a position on, or those just before it.
Page read_events(const Stream& stream, const Span& span, Position from, Direction direction,
                 std::size_t most = kMostEvents);

// A page of many streams, in order.
struct Found {
  struct Entry {
    const std::string* stream;
    const Event* event;
  };
  std::vector<Entry> entries;
  bool more = false;
  Position next;  // where the next page begins
};
using NamedStreams = std::vector<std::pair<const std::string*, const Stream*>>;
Found find_events(const NamedStreams& streams, const Span& span, Position from,
                  const std::function<bool(const std::string& message)>& wanted,
                  std::size_t most = kMostEvents);

}  // namespace sim::logs
