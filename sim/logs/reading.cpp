#include "sim/logs/reading.h"

#include <algorithm>
#include <ranges>
#include <span>

namespace sim::logs {
namespace {

Position after(Position position) { return {position.time, position.number + 1}; }

std::span<const Event> between(const Stream& stream, const Span& span) {
  const auto begin =
      std::ranges::lower_bound(stream.events, Position{span.begin, 0}, {}, &Event::at);
  const auto end = std::ranges::lower_bound(stream.events, Position{span.end, 0}, {}, &Event::at);
  if (begin >= end) return {};
  return {begin, end};
}

// The number of events that fit in a page.
template <class Events>
std::size_t fitting(const Events& events, std::size_t most) {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  for (const Event& event : events) {
    bytes += size_of(event.message);
    if (count == most || bytes > kLargestBatch) break;
    ++count;
  }
  return count;
}

}  // namespace

Page read_events(const Stream& stream, const Span& span, Position from, Direction direction,
                 std::size_t most) {
  std::span<const Event> events = between(stream, span);
  const auto place = std::ranges::lower_bound(events, from, {}, &Event::at);
  if (direction == Direction::kForward) {
    events = {place, events.end()};
    events = events.first(fitting(events, most));
  } else {
    events = {events.begin(), place};
    events = events.last(fitting(std::views::reverse(events), most));
  }
  if (events.empty()) return {.begin = from, .end = from};
  return {events.data(), events.size(), events.front().at, after(events.back().at)};
}

Found find_events(const NamedStreams& streams, const Span& span, Position from,
                  const std::function<bool(const std::string& message)>& wanted, std::size_t most) {
  struct Rest {
    const std::string* name;
    std::span<const Event> events;
  };
  std::vector<Rest> heap;
  for (const auto& [name, stream] : streams) {
    std::span<const Event> events = between(*stream, span);
    events = {std::ranges::lower_bound(events, from, {}, &Event::at), events.end()};
    if (!events.empty()) heap.push_back({name, events});
  }
  const auto later = [](const Rest& a, const Rest& b) {
    return a.events.front().at > b.events.front().at;
  };
  std::ranges::make_heap(heap, later);
  Found found{.entries = {}, .more = false, .next = from};
  std::uint64_t bytes = 0;
  for (std::size_t searched = 0; !heap.empty(); ++searched) {
    std::ranges::pop_heap(heap, later);
    Rest& rest = heap.back();
    const Event& event = rest.events.front();
    found.next = event.at;
    const bool taken = wanted(event.message);
    if (taken) bytes += size_of(event.message);
    found.more = (taken && (found.entries.size() == most || bytes > kLargestBatch)) ||
                 searched == kMostSearched;
    if (found.more) break;
    if (taken) found.entries.push_back({rest.name, &event});
    rest.events = rest.events.subspan(1);
    if (rest.events.empty())
      heap.pop_back();
    else
      std::ranges::push_heap(heap, later);
  }
  return found;
}

}  // namespace sim::logs
