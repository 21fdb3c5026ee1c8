#include "sim/serve/live_feed.h"

#include <fmt/format.h>

#include <boost/beast/http/field.hpp>
#include <charconv>
#include <string_view>
#include <utility>

#include "report/page.h"
#include "sim/serve/control.h"
#include "sim/serve/exposition.h"

namespace sim::serve {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view kStreamPath = "/_spotsim/stream";
// At five calls a second a comment comes every 15 s. It shows that a browser has left.
constexpr int kQuietCalls = 75;

Json begin_of(ServedCloud& served, const std::string& speed) {
  const result::Header& header = served.record().history().header;
  return {{"scenario", header.scenario},
          {"seed", header.seed},
          {"begin", iso_milliseconds(header.start)},
          {"speed", speed}};
}

// The rows of the instances whose lanes have changed.
Json rows_of(ServedCloud& served, const Json& lanes) {
  Json rows = Json::array();
  for (const Json& lane : lanes) {
    if (lane["kind"] != "instance") continue;
    const cloud::InstanceId id{lane["id"].get<std::string>()};
    const auto& instances = served.cloud_with(id).instances();
    if (const auto found = instances.find(id); found != instances.end())
      rows.push_back(instance_row(found->second));
  }
  return rows;
}

// Parses the event ID "PROCESS-WORLD-LINES".
bool parse_event_id(std::string_view id, std::string_view process, std::uint64_t& world,
                    report::LineNumber& lines) {
  if (!id.starts_with(process) || id.size() == process.size()) return false;
  const char* const end = id.data() + id.size();
  const auto of_world = std::from_chars(id.data() + process.size() + 1, end, world);
  if (of_world.ec != std::errc{} || of_world.ptr == end) return false;
  const auto of_lines = std::from_chars(of_world.ptr + 1, end, lines);
  return of_lines.ec == std::errc{} && of_lines.ptr == end;
}

}  // namespace

fakes::Response live_page(bool served) {
  fakes::Response response;
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  if (!served || !page::has_page()) {
    response.result(http::status::not_found);
    response.set(http::field::content_type, "application/json");
    response.body() =
        Json{{"error", "path: found the page, expected it only with `spotsim serve --ui`"}}.dump() +
        "\n";
    return response;
  }
  response.set(http::field::content_type, "text/html; charset=utf-8");
  // Another site must not show the page in a frame, where it could lead clicks to its buttons.
  response.set("Content-Security-Policy", "frame-ancestors 'none'");
  response.set("X-Frame-Options", "DENY");
  response.body() = page::live_page();
  return response;
}

fakes::Response metrics_page(ServedCloud& served) {
  fakes::Response response;
  response.set(http::field::content_type, kExpositionType);
  response.body() = served.metrics();
  return response;
}

bool is_stream(const fakes::Request& request) {
  const std::string_view target(request.target().data(), request.target().size());
  return request.method() == http::verb::get && target == kStreamPath;
}

fakes::Response stream_head() {
  fakes::Response response;
  response.set(http::field::content_type, "text/event-stream");
  response.set(http::field::cache_control, "no-store");
  return response;
}

LiveFeed::LiveFeed(std::string process, const fakes::Request& request)
    : process_(std::move(process)) {
  const auto id = request["Last-Event-ID"];
  if (!parse_event_id({id.data(), id.size()}, process_, world_, seen_)) world_ = 0;
}

std::string LiveFeed::next(ServedCloud& served, std::uint64_t world, const std::string& speed,
                           std::uint64_t calls) {
  const report::LiveReport& live = *served.live();
  const Time now = served.now();
  const bool anew = world != world_ || seen_ > live.lines();
  if (!anew && seen_ == live.lines() && now == told_)
    return ++quiet_ % kQuietCalls == 0 ? ":\n\n" : "";
  if (anew) seen_ = 0;
  Json changed = live.since(seen_, now, [&](std::uint64_t offset, std::size_t length) {
    std::string line = served.record().log_from(offset, length + 1);
    if (line.ends_with('\n')) line.pop_back();
    return line;
  });
  Json update{{"world", anew ? begin_of(served, speed) : Json(nullptr)},
              {"now", iso_milliseconds(now)},
              {"seconds", seconds(now - served.scenario().start)},
              {"cost_usd", served.cost_so_far().dollars()},
              {"calls", calls},
              {"instances", rows_of(served, changed["lanes"])}};
  update.update(changed);
  world_ = world;
  seen_ = live.lines();
  told_ = now;
  return fmt::format("id: {}-{}-{}\ndata: {}\n\n", process_, world_, seen_,
                     update.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace sim::serve
