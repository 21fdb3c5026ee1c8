// Log streams.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fakes/logs/actions.h"
#include "fakes/logs/names.h"

namespace fakes::logs {
namespace {

using sim::logs::Stream;

constexpr std::size_t kMostStreams = 50;

// A stream's position in a list, which is also the content of a token: its name, after the time of
// its last event if the list is in that order.
struct ListPosition {
  std::int64_t time = -1;  // for a stream without events
  std::string name;
  auto operator<=>(const ListPosition&) const = default;
};

std::string token_of(const ListPosition& place) {
  return token_after(fmt::format("{} {}", place.time, place.name));
}
ListPosition place_of(const std::string& token) {
  const std::string text = name_of_token(token);
  const auto blank = text.find(' ');
  if (blank == std::string::npos) throw invalid_token();
  try {
    return {std::stoll(text.substr(0, blank)), text.substr(blank + 1)};
  } catch (const std::exception&) {
    throw invalid_token();
  }
}

struct Listed {
  ListPosition place;
  const Stream* stream;
};

// The streams that may be on the page, and one more, in order.
std::vector<Listed> listed(const sim::logs::Group& group,
                           const op::DescribeLogStreams::Request& request, std::size_t most) {
  const std::string prefix = request.log_stream_name_prefix.value_or("");
  const bool by_time = request.order_by == "LastEventTime";
  const bool down = request.descending.value_or(false);
  const auto before = [down](const ListPosition& a, const ListPosition& b) {
    return down ? b < a : a < b;
  };
  const auto last =
      request.next_token ? std::optional(place_of(*request.next_token)) : std::nullopt;
  std::vector<Listed> all;
  for (auto it = group.streams.lower_bound(prefix);
       it != group.streams.end() && it->first.starts_with(prefix); ++it) {
    const auto& [name, stream] = *it;
    const bool timed = by_time && !stream.events.empty();
    ListPosition place{timed ? stream.events.back().at.time : -1, name};
    if (!last || before(*last, place)) all.push_back({std::move(place), &stream});
  }
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most + 1, all.size()));
  std::ranges::partial_sort(all, end, before, &Listed::place);
  all.erase(end, all.end());
  return all;
}

api::logs::LogStream shown_stream(const Call& call, const std::string& group, const Listed& one) {
  const Stream& stream = *one.stream;
  api::logs::LogStream shown{
      .arn = group_arn(call, group) + ":log-stream:" + one.place.name,
      .creation_time = stream.created,
      .last_ingestion_time = stream.last_ingested,
      .log_stream_name = one.place.name,
      .stored_bytes = 0};  // of streams always, since June 2019 (API reference, LogStream)
  if (!stream.events.empty()) {
    shown.first_event_timestamp = stream.events.front().at.time;
    shown.last_event_timestamp = stream.events.back().at.time;
  }
  if (stream.batches > 0) shown.upload_sequence_token = fmt::format("{:056}", stream.batches);
  return shown;
}

}  // namespace

op::CreateLogStream::Response create_stream(Call& call,
                                            const op::CreateLogStream::Request& request) {
  call.backend.logs.create_stream(request.log_group_name.value(), request.log_stream_name.value());
  return {};
}

op::DeleteLogStream::Response delete_stream(Call& call,
                                            const op::DeleteLogStream::Request& request) {
  call.backend.logs.delete_stream(request.log_group_name.value(), request.log_stream_name.value());
  return {};
}

op::DescribeLogStreams::Response describe_streams(Call& call,
                                                  const op::DescribeLogStreams::Request& request) {
  const std::string& name = request.log_group_name.value();
  if (request.order_by == "LastEventTime" && request.log_stream_name_prefix)
    throw ApiError("InvalidParameterException",
                   "Cannot order by LastEventTime with a logStreamNamePrefix.");
  const std::size_t most = static_cast<std::size_t>(request.limit.value_or(kMostStreams));
  const auto all = listed(call.backend.logs.group(name), request, most);
  op::DescribeLogStreams::Response response;
  response.log_streams.give();
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    response.log_streams.push_back(shown_stream(call, name, all[i]));
  if (all.size() > most) response.next_token = token_of(all[most - 1].place);
  return response;
}

}  // namespace fakes::logs
