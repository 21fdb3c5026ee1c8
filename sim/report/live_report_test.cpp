#include "sim/report/live_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/events/read.h"
#include "sim/result/history_builder.h"
#include "sim/result/log_builder_for_test.h"

namespace sim::report {
namespace {

// A growing log, and a page that requests updates.
struct Followed {
  Followed() {
    builder.listen(log);
    live.emplace(log, builder.history());
  }
  void tell(const Event& event) {
    text += to_line(event) + "\n";
    now = event.time;
    events::read(event.time, event.kind, event.fields,
                 [this, &event](const auto& typed) { log.tell(typed, to_line(event)); });
  }
  Json since(LineNumber after) const {
    return live->since(after, now, [this](std::uint64_t offset, std::size_t length) {
      return text.substr(offset, length);
    });
  }
  // Requests an update and applies it as the page does.
  void follow() {
    const Json update = since(seen);
    seen = live->lines();
    for (const Json& lane : update["lanes"]) lanes[lane["id"]] = lane;
    for (Json& lane : lanes)
      if (lane.contains("open"))
        lane["spans"].back()["to"] = seconds(now - builder.history().header.start);
    for (const Json& mark : update["marks"]) marks.push_back(mark);
    for (const Json& pool : update["pools"]) pools[pool["pool"]] = pool;
    lines.update(update["lines"]);
  }

  events::Listeners log;
  result::HistoryBuilder builder;
  std::optional<LiveReport> live;
  std::string text;
  Time now{};
  LineNumber seen = 0;
  Json lanes = Json::object(), marks = Json::array(), pools = Json::object(),
       lines = Json::object();
};

TEST(LiveReport, UpdatesLineByLineGiveWhatTheWholeLogGives) {
  Followed followed;
  const auto events = result::interrupted_once().events();
  for (const Event& event : events) {
    followed.tell(event);
    followed.follow();
    const Json whole = followed.since(0);
    for (const Json& lane : whole["lanes"]) {
      Json found = followed.lanes[lane["id"]];
      EXPECT_EQ(found.dump(), lane.dump()) << "after " << to_line(event);
    }
    EXPECT_EQ(followed.lanes.size(), whole["lanes"].size());
    EXPECT_EQ(followed.marks, whole["marks"]);
    EXPECT_EQ(followed.pools.size(), whole["pools"].size());
    for (const auto& [number, line] : whole["lines"].items())
      EXPECT_EQ(followed.lines[number], line);
  }
  EXPECT_GT(followed.marks.size(), 3u);
}

TEST(LiveReport, WithoutANewLineNothingHasChanged) {
  Followed followed;
  const auto events = result::interrupted_once().events();
  for (const Event& event : events) followed.tell(event);
  EXPECT_EQ(followed.since(followed.live->lines()).dump(),
            R"({"lanes":[],"marks":[],"pools":[],"lines":{}})");
}

TEST(LiveReport, ARunningInstanceHasItsPresentState) {
  Followed followed;
  const auto events = result::interrupted_once().events();
  for (const Event& event : events) {
    followed.tell(event);
    if (event.kind == "instance.state" && event.fields["to"] == "running") break;
  }
  const Json update = followed.since(0);
  const auto lane = std::find_if(update["lanes"].begin(), update["lanes"].end(),
                                 [](const Json& one) { return one["kind"] == "instance"; });
  ASSERT_NE(lane, update["lanes"].end());
  EXPECT_EQ((*lane)["spans"].back()["what"], "boot") << "it has just begun";
  EXPECT_EQ((*lane)["open"], true);
}

}  // namespace
}  // namespace sim::report
