// Reads logs one page at a time. A read never examines more events than fit in a page or, with a
// pattern, kMostSearched events.
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
// The limits of a page: a number of events, and kLargestBatch bytes.
inline constexpr std::size_t kMostEvents = 10'000, kMostSearched = 100'000;

// A page of one stream: its events, and the end position of the page before and the begin of the
// page after.
struct Page {
  const Event* first = nullptr;
  std::size_t count = 0;
  Position begin, end;
};
enum class Direction { kForward, kBackward };
// The events from a position on, or the last ones before it.
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
  Position next;  // the begin of the next page
};
using NamedStreams = std::vector<std::pair<const std::string*, const Stream*>>;
Found find_events(const NamedStreams& streams, const Span& span, Position from,
                  const std::function<bool(const std::string& message)>& wanted,
                  std::size_t most = kMostEvents);

}  // namespace sim::logs
