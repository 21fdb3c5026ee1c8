#include "sim/serve/control_faults.h"

#include <algorithm>

#include "base/files/folder_for_test.h"
#include "fakes/interference.h"
#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

TEST(ControlFaults, AFaultStrikesNow) {
  Tested t("manual");
  const Json struck = t.post("fault", {{"kind", "api-throttled"}, {"action", "any"}, {"times", 2}});
  EXPECT_EQ(struck["fault"], "{at: 0s, kind: api-throttled, action: any, times: 2}");
  EXPECT_EQ(struck["strikes"], 1);
  for (const bool fails : {true, true, false})
    EXPECT_EQ(t.ec2("DescribeInstances").find("RequestLimitExceeded") != std::string::npos, fails);
  const auto strike = std::ranges::find(t.events, "fault.strike", &Event::kind);
  ASSERT_NE(strike, t.events.end());
  EXPECT_EQ(strike->fields["kind"], "api-throttled");
}

TEST(ControlFaults, AFaultMayWaitForACall) {
  Tested t("manual");
  t.post("fault", {{"kind", "api-error"},
                   {"code", "InternalError"},
                   {"before_call", {{"action", "RunInstances"}, {"nth", 2}}}});
  EXPECT_NE(t.launch(), "");
  EXPECT_NE(t.ec2("RunInstances&ImageId=ami-0123456789abcdef0&MinCount=1&MaxCount=1")
                .find("InternalError"),
            std::string::npos);
}

TEST(ControlFaults, ReportsWhatItHasStruck) {
  Tested t("manual");
  EXPECT_EQ(t.post("fault", {{"kind", "power-cut"}})["found"], 0) << "nothing runs";
  const std::string id = t.launch(true);
  t.post("clock", {{"by", "2m"}});
  EXPECT_EQ(t.post("fault", {{"kind", "power-cut"}, {"instance", 1}})["found"], 1);
  EXPECT_EQ(t.state_of(id), "shutting-down");
}

TEST(ControlFaults, AnEventIsScheduledAndTakesEffect) {
  Tested t("manual");
  const std::string id = t.launch(true);
  t.post("clock", {{"by", "2m"}});
  const std::string path = "/_spotsim/imds/" + id + "/latest/meta-data/events/maintenance/";
  EXPECT_EQ(t.ask("GET", path + "scheduled").body(), "[]");
  t.post("fault", {{"kind", "instance-retirement"}, {"notice", "10m"}});
  const Json shown = Json::parse(t.ask("GET", path + "scheduled").body());
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0]["Code"], "instance-retirement");
  EXPECT_EQ(shown[0]["NotBefore"], "5 Nov 2019 10:12:00 GMT");
  const std::string status = t.ec2("DescribeInstanceStatus");
  EXPECT_NE(status.find("<code>instance-retirement</code>"), std::string::npos) << status;
  EXPECT_NE(status.find("<notBefore>2019-11-05T10:12:00.000Z</notBefore>"), std::string::npos);
  t.post("clock", {{"by", "10m"}});
  EXPECT_EQ(t.state_of(id), "shutting-down");
  const std::string other = t.launch(true);
  t.post("clock", {{"by", "2m"}});
  t.post("fault", {{"kind", "system-reboot"}, {"notice", "1m"}});
  t.post("clock", {{"by", "1m"}});
  EXPECT_NE(t.ec2("DescribeInstanceStatus").find("[Completed] scheduled reboot"),
            std::string::npos);
  EXPECT_EQ(t.refused("fault", R"({"kind": "instance-stop"})").find("kind: found"), 0U);
}

TEST(ControlFaults, RefusesInvalidFaults) {
  Tested t("manual");
  EXPECT_EQ(t.refused("fault", R"({"kind": "rain"})").find("kind: found \"rain\", expected one of"),
            0u);
  EXPECT_EQ(t.refused("fault", R"({"kind": "drain", "zone": "mars"})").find("zone: found mars"),
            0u);
  EXPECT_EQ(t.refused("fault", R"({})").find("kind: found nothing"), 0u);
  EXPECT_EQ(t.refused("fault", R"({"kind": "trainer-crash"})", 409),
            "kind: found trainer-crash, which strikes programs on instances, expected one of GET "
            "/_spotsim/faults: nothing runs on these");
  t.refused("fault", R"({"kind": "drain\"}, {kind: price"})");
  EXPECT_EQ(std::ranges::count(t.events, "fault.strike", &Event::kind), 0);
}

Json listed(Tested& t) { return Json::parse(t.ask("GET", "/_spotsim/faults").body())["faults"]; }

TEST(ControlFaults, AreListedWithTheirStates) {
  Tested t("manual");
  EXPECT_TRUE(listed(t).empty());
  const Json first =
      t.post("fault", {{"kind", "api-throttled"}, {"action", "any"}, {"times", 2}})["id"];
  const Json second = t.post("fault", {{"kind", "power-cut"}, {"at", "1h"}})["id"];
  Json list = listed(t);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["id"], first);
  EXPECT_EQ(list[0]["state"], "lasts");
  EXPECT_EQ(list[0]["fault"], "{at: 0s, kind: api-throttled, action: any, times: 2}");
  EXPECT_EQ(list[1]["id"], second);
  EXPECT_EQ(list[1]["state"], "waits");
  t.ec2("DescribeInstances");
  t.ec2("DescribeInstances");
  EXPECT_EQ(listed(t)[0]["state"], "over");
}

TEST(ControlFaults, ARemovedFaultNeitherLastsNorStrikes) {
  Tested t("manual");
  const auto fails = [&] {
    return t.ec2("DescribeInstances").find("RequestLimitExceeded") != std::string::npos;
  };
  const Json lasting =
      t.post("fault", {{"kind", "api-throttled"}, {"action", "any"}, {"for", "1h"}})["id"];
  const Json later = t.post(
      "fault", {{"kind", "api-throttled"}, {"action", "any"}, {"for", "1h"}, {"at", "10m"}})["id"];
  t.post(
      "fault",
      {{"kind", "api-throttled"}, {"for", "1h"}, {"before_call", {{"action", "DescribeVolumes"}}}});
  EXPECT_TRUE(fails());
  EXPECT_EQ(t.post("fault/remove", {{"id", lasting}})["removed"][0]["id"], lasting);
  EXPECT_FALSE(fails());
  t.post("fault/remove", {{"id", later}});
  t.post("clock", {{"by", "20m"}});
  EXPECT_FALSE(fails());
  EXPECT_EQ(t.post("fault/remove", {{"id", "all"}})["removed"].size(), 1u);
  EXPECT_EQ(t.ec2("DescribeVolumes").find("RequestLimitExceeded"), std::string::npos);
  EXPECT_TRUE(listed(t).empty());
  EXPECT_EQ(t.refused("fault/remove", R"({"id": 1})", 404),
            "id: found 1, expected the ID of a fault that GET /_spotsim/faults lists");
  t.refused("fault/remove", R"({"id": "some"})");
  t.refused("fault/remove", "{}");
}

TEST(ControlFaults, ARemovedDrainAndARemovedPriceGiveThePoolBack) {
  Tested t("manual");
  const market::Pool pool = t.testbed->served().cloud().market().pools().front();
  const auto& market = t.testbed->served().cloud().market();
  const auto price = market.spot_price(pool, t.testbed->served().now());
  t.post("fault", {{"kind", "drain"}, {"pool", to_string(pool)}, {"for", "2h"}});
  t.post("fault", {{"kind", "price"}, {"pool", to_string(pool)}, {"factor", 3}, {"for", "2h"}});
  EXPECT_EQ(market.capacity(pool), 0);
  EXPECT_GT(*market.spot_price(pool, t.testbed->served().now()), *price);
  t.post("fault/remove", {{"id", "all"}});
  EXPECT_EQ(market.capacity(pool), market::Market::kUnlimited);
  EXPECT_EQ(market.spot_price(pool, t.testbed->served().now()), price);
}

TEST(ControlFaults, ARemovedFaultLeavesThoseThatOverlapIt) {
  Tested t("manual");
  const market::Market& market = t.testbed->served().cloud().market();
  const market::Pool pool = market.pools().front();
  const auto price = [&] {
    return static_cast<double>(market.spot_price(pool, t.testbed->served().now())->nano);
  };
  const double usual = price();
  const auto raise = [&](double factor, const char* lasts) {
    return t.post(
        "fault",
        {{"kind", "price"}, {"pool", to_string(pool)}, {"factor", factor}, {"for", lasts}})["id"];
  };
  const auto remove = [&](const Json& id) { t.post("fault/remove", {{"id", id}}); };
  const auto prices_logged = [&] { return std::ranges::count(t.events, "price", &Event::kind); };

  const Json longest = raise(3, "3h"), latest = raise(2, "1h");
  remove(latest);
  EXPECT_DOUBLE_EQ(price(), 3 * usual) << "the earlier one still lasts";
  const Json brief = raise(4, "1h"), briefer = raise(5, "30m");
  const auto before = prices_logged();
  remove(longest);
  EXPECT_EQ(prices_logged(), before) << "a later one hides it: no price changes";
  EXPECT_DOUBLE_EQ(price(), 5 * usual);
  t.post("clock", {{"by", "31m"}});
  EXPECT_DOUBLE_EQ(price(), 4 * usual);
  t.post("clock", {{"by", "30m"}});
  EXPECT_DOUBLE_EQ(price(), usual);
  t.post("clock", {{"by", "3h"}});
  EXPECT_DOUBLE_EQ(price(), usual);
  remove(brief);
  remove(briefer);
  EXPECT_DOUBLE_EQ(price(), usual);

  const auto drain = [&](int slots) {
    return t.post("fault", {{"kind", "drain"}, {"pool", to_string(pool)}, {"slots", slots}})["id"];
  };
  const Json three = drain(3), none = drain(0);
  remove(none);
  EXPECT_EQ(market.capacity(pool), 3);
  remove(three);
  EXPECT_EQ(market.capacity(pool), market::Market::kUnlimited);
}

TEST(ControlFaults, AnErrorMayHaveAMessageOfTheUsers) {
  Tested t("manual");
  t.post("fault", {{"kind", "api-error"},
                   {"code", "Unsupported"},
                   {"message", "No g6 here: try us-west-2b."},
                   {"status", 400},
                   {"action", "RunInstances"}});
  const std::string answer =
      t.ec2("RunInstances&ImageId=ami-0123456789abcdef0&MinCount=1&MaxCount=1");
  EXPECT_NE(answer.find("<Code>Unsupported</Code><Message>No g6 here: try us-west-2b.</Message>"),
            std::string::npos)
      << answer;
}

TEST(ControlFaults, ListsTheKindsThatCanStrike) {
  Tested t("manual");
  const Json kinds = Json::parse(t.ask("GET", "/_spotsim/faults").body())["kinds"];
  const auto has = [&](const char* name) {
    return std::ranges::any_of(kinds, [&](const Json& kind) { return kind["kind"] == name; });
  };
  EXPECT_TRUE(has("interrupt") && has("api-lost-answer") && has("imds-down"));
  EXPECT_FALSE(has("trainer-crash") || has("torn-write") || has("damage-volume"));
}

// `spotsim serve` delays answers in the same way.
TEST(ControlFaults, ALateAnswerIsDueInVirtualTime) {
  Tested manual("manual"), max("max");
  EXPECT_EQ(manual.testbed->due(20s), kBegin + 20s);
  EXPECT_EQ(manual.testbed->served().now(), kBegin);
  const Time due = max.testbed->due(20s);
  EXPECT_EQ(max.testbed->served().now(), due) << "the time goes there at once";
  max.testbed->due(fakes::kNoAnswer);
  EXPECT_EQ(max.testbed->served().now(), kBegin + 20s)
      << "nothing waits for an answer that is lost";
}

TEST(ControlFaults, AStateFileRestoresThem) {
  const base::FolderForTest folder;
  {
    Tested t("manual", Profile::kScenario, folder / "state");
    t.post("fault", {{"kind", "api-throttled"}, {"action", "any"}, {"times", 2}});
    t.ec2("DescribeInstances");
    t.testbed->close(t.real);
  }
  Tested t("manual", Profile::kScenario, folder / "state");
  EXPECT_NE(t.ec2("DescribeInstances").find("RequestLimitExceeded"), std::string::npos);
  EXPECT_EQ(t.ec2("DescribeInstances").find("RequestLimitExceeded"), std::string::npos);
}

}  // namespace
}  // namespace sim::serve
