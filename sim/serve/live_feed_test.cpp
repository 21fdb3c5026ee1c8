#include "sim/serve/live_feed.h"

#include "report/page.h"
#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

struct Watched : Tested {
  explicit Watched(const char* speed = "manual") : Tested(speed) {
    options.served.live = true;
    start();
  }
  // Opens a stream, as a page does.
  fakes::Feed open(const std::string& last_id = "") {
    fakes::Request request;
    request.method_string("GET");
    request.target("/_spotsim/stream");
    request.set(kControlHeader, "1");
    if (!last_id.empty()) request.set("Last-Event-ID", last_id);
    fakes::Reply reply = testbed->answer(request, real);
    EXPECT_EQ(reply.response["Content-Type"], "text/event-stream");
    return reply.feed;
  }
};

std::string id_of(const std::string& event) { return Tested::between(event, "id: ", "\ndata: "); }
Json data_of(const std::string& event) {
  return Json::parse(Tested::between(event, "\ndata: ", "\n\n"));
}

TEST(LiveFeed, FirstSendsAllThenChanges) {
  Watched t;
  const std::string id = t.launch(true);
  const fakes::Feed next = t.open();
  const Json all = data_of(next());
  EXPECT_EQ(all["world"]["begin"], "2019-11-05T10:00:00.000Z");
  EXPECT_EQ(all["instances"][0]["instance"], id);
  EXPECT_EQ(all["instances"][0]["state"], "pending");
  EXPECT_EQ(all["pools"].size(), 12u);
  EXPECT_EQ(next(), "") << "nothing has changed";
  t.post("interrupt", {{"instance", id}, {"how", "notice"}});
  const Json changed = data_of(next());
  EXPECT_EQ(changed["world"], nullptr);
  EXPECT_EQ(changed["instances"][0]["notice_at"], "2019-11-05T10:00:00.000000000Z");
  EXPECT_EQ(changed["pools"].size(), 0u);
  const auto notices = std::ranges::count_if(
      changed["marks"], [](const Json& mark) { return mark["kind"] == "notice"; });
  EXPECT_EQ(notices, 1);
}

TEST(LiveFeed, TheClockAloneIsASmallEvent) {
  Watched t("1x");
  for (int i = 0; i < 50; ++i) t.launch();
  const fakes::Feed next = t.open();
  next();
  t.real += 1ms;
  t.testbed->keep_up(t.real);
  const std::string event = next();
  EXPECT_EQ(data_of(event)["now"], "2019-11-05T10:00:00.001Z");
  EXPECT_LT(event.size(), 400u) << event;
}

TEST(LiveFeed, ABrowserThatReconnectsGetsOnlyNewChanges) {
  Watched t;
  t.launch();
  const std::string last = id_of(t.open()());
  const std::string second = t.launch();
  const Json changed = data_of(t.open(last)());
  EXPECT_EQ(changed["world"], nullptr);
  EXPECT_EQ(changed["instances"].size(), 1u);
  EXPECT_EQ(changed["instances"][0]["instance"], second);
}

TEST(LiveFeed, AnIdOfAnotherWorldOrProcessGetsEverything) {
  Watched t;
  const std::string last = id_of(t.open()());
  for (const std::string& id : {std::string("x-1-1"), std::string("1"), last + "x", last + "0000",
                                "0" + last, std::string("-"), std::string(300, '9')})
    EXPECT_NE(data_of(t.open(id)())["world"], nullptr) << id;
  const fakes::Feed next = t.open();
  next();
  t.post("reset", Json::object());
  EXPECT_NE(data_of(next())["world"], nullptr) << "a reset makes a new world";
}

TEST(LiveFeed, OccasionalCommentsKeepTheConnection) {
  Watched t;
  const fakes::Feed next = t.open();
  next();
  int comments = 0;
  for (int i = 0; i < 150; ++i) comments += next() == ":\n\n";
  EXPECT_EQ(comments, 2);
}

TEST(LiveFeed, PageAndStreamExistOnRequestOnly) {
  Tested t("manual");
  EXPECT_EQ(t.send("GET", "/_spotsim/ui", "", {}).result_int(), 404u);
  EXPECT_EQ(t.ask("GET", "/_spotsim/stream").result_int(), 404u);
}

TEST(LiveFeed, ThePageNeedsNoHeaderAndItsDataDo) {
  if (!page::has_page()) GTEST_SKIP() << "the build had no esbuild or d3";
  Watched t;
  const fakes::Response page = t.send("GET", "/_spotsim/ui", "", {});
  EXPECT_EQ(page.result_int(), 200u);
  EXPECT_EQ(page["Content-Security-Policy"], "frame-ancestors 'none'");
  EXPECT_EQ(t.send("GET", "/_spotsim/stream", "", {}).result_int(), 403u);
  EXPECT_EQ(t.send("GET", "/_spotsim/ui", "", {{"Host", "evil.example"}}).result_int(), 403u);
  const auto from_another_site = [&](const char* shown_in) {
    return t
        .send("GET", "/_spotsim/ui", "",
              {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Dest", shown_in}})
        .result_int();
  };
  EXPECT_EQ(from_another_site("iframe"), 403u);
  EXPECT_EQ(from_another_site("document"), 200u) << "a link to the page";
}

}  // namespace
}  // namespace sim::serve
