// Log events.
#include <fmt/format.h>

#include <set>

#include "fakes/logs/actions.h"
#include "fakes/logs/names.h"
#include "sim/logs/pattern.h"
#include "sim/logs/reading.h"

namespace fakes::logs {
namespace {

using sim::logs::Direction;
using sim::logs::Event;
using sim::logs::Page;
using sim::logs::Position;

std::size_t most_of(const std::optional<std::int64_t>& limit) {
  return static_cast<std::size_t>(limit.value_or(sim::logs::kMostEvents));
}

// A token is "f/" or "b/" and the position from which a page continues forward or backward.
Page page_of(const sim::logs::Stream& stream, const op::GetLogEvents::Request& request) {
  const sim::logs::Span span{request.start_time.value_or(0), request.end_time.value_or(INT64_MAX)};
  const std::size_t most = most_of(request.limit);
  if (const auto& token = request.next_token) {
    const bool forward = token->starts_with("f/");
    if (!forward && !token->starts_with("b/")) throw invalid_token();
    return read_events(stream, span, position_of_token(std::string_view(*token).substr(2)),
                       forward ? Direction::kForward : Direction::kBackward, most);
  }
  const Position begin{span.begin, 0}, end{span.end, 0};
  const Page page = request.start_from_head.value_or(false)
                        ? read_events(stream, span, begin, Direction::kForward, most)
                        : read_events(stream, span, end, Direction::kBackward, most);
  return page.count > 0 ? page : Page{.begin = begin, .end = begin};
}

sim::logs::NamedStreams streams_of(const Call& call, const op::FilterLogEvents::Request& request) {
  if (!request.log_stream_names.empty() && request.log_stream_name_prefix)
    throw ApiError("InvalidParameterException",
                   "logStreamNamePrefix and logStreamNames cannot both be specified.");
  const std::string& group = request.log_group_name.value();
  const auto& streams = call.backend.logs.group(group).streams;
  sim::logs::NamedStreams named;
  for (const std::string& name :
       std::set(request.log_stream_names.begin(), request.log_stream_names.end())) {
    call.backend.logs.stream(group, name);  // throws if it does not exist
    const auto found = streams.find(name);
    named.emplace_back(&found->first, &found->second);
  }
  if (!named.empty()) return named;
  const std::string prefix = request.log_stream_name_prefix.value_or("");
  for (auto it = streams.lower_bound(prefix); it != streams.end() && it->first.starts_with(prefix);
       ++it)
    named.emplace_back(&it->first, &it->second);
  return named;
}

}  // namespace

op::PutLogEvents::Response put_events(Call& call, const op::PutLogEvents::Request& request) {
  std::vector<sim::logs::NewEvent> events;
  for (const auto& event : request.log_events)
    events.push_back({event.timestamp.value(), event.message.value()});
  const std::string &group = request.log_group_name.value(),
                    &stream = request.log_stream_name.value();
  const auto rejected = call.backend.logs.put(group, stream, events);
  op::PutLogEvents::Response response{
      .next_sequence_token =
          fmt::format("{:056}", call.backend.logs.stream(group, stream).batches)};
  if (rejected.old_end || rejected.expired_end || rejected.new_begin) {
    const auto as_index = [](const std::optional<std::size_t>& number) {
      return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
    };
    response.rejected_log_events_info = {
        .expired_log_event_end_index = as_index(rejected.expired_end),
        .too_new_log_event_start_index = as_index(rejected.new_begin),
        .too_old_log_event_end_index = as_index(rejected.old_end)};
  }
  return response;
}

op::GetLogEvents::Response get_events(Call& call, const op::GetLogEvents::Request& request) {
  const Page page = page_of(
      call.backend.logs.stream(request.log_group_name.value(), request.log_stream_name.value()),
      request);
  op::GetLogEvents::Response response{.next_backward_token = "b/" + event_id(page.begin),
                                      .next_forward_token = "f/" + event_id(page.end)};
  response.events.give();
  for (std::size_t i = 0; i < page.count; ++i) {
    const Event& event = page.first[i];
    response.events.push_back(
        {.ingestion_time = event.ingested, .message = event.message, .timestamp = event.at.time});
  }
  return response;
}

op::FilterLogEvents::Response filter_events(Call& call,
                                            const op::FilterLogEvents::Request& request) {
  const auto pattern = sim::logs::parse_pattern(request.filter_pattern.value_or(""));
  // Unlike GetLogEvents, the range includes its end.
  const std::int64_t last = request.end_time.value_or(INT64_MAX);
  const sim::logs::Span span{request.start_time.value_or(0), last == INT64_MAX ? last : last + 1};
  const Position from = request.next_token ? position_of_token(*request.next_token) : Position{};
  const auto found = find_events(
      streams_of(call, request), span, from,
      [&](const std::string& message) { return pattern.matches(message); }, most_of(request.limit));
  op::FilterLogEvents::Response response;
  response.events.give();
  response.searched_log_streams.give();  // empty since May 2020 (API reference)
  for (const auto& [stream, event] : found.entries)
    response.events.push_back({.event_id = event_id(event->at),
                               .ingestion_time = event->ingested,
                               .log_stream_name = *stream,
                               .message = event->message,
                               .timestamp = event->at.time});
  if (found.more) response.next_token = event_id(found.next);
  return response;
}

}  // namespace fakes::logs
