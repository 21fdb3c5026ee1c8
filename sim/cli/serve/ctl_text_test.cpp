#include "sim/cli/serve/ctl_text.h"

#include "sim/serve/testbed_for_test.h"

namespace sim::cli {
namespace {

// Two minutes after the launch of a spot instance at 10:00.
struct Asked : serve::Tested {
  Asked() : Tested("manual"), id(launch(true)) { post("clock", {{"by", "2m"}}); }
  Json look(const std::string& path) { return Json::parse(ask("GET", "/_spotsim/" + path).body()); }
  std::string struck(const std::string& how) {
    return struck_text(post("interrupt", {{"instance", id}, {"how", how}}));
  }
  std::string id;
};

TEST(CtlText, StatesWhenANoticeEnds) {
  Asked t;
  EXPECT_EQ(t.struck("notice"), t.id +
                                    ": its notice appears now, at 2019-11-05T10:02:00Z; EC2 takes "
                                    "it at 2019-11-05T10:04:00Z, 2m of virtual time from now\n");
  t.post("clock", {{"by", "90s"}});
  EXPECT_EQ(t.struck("rebalance"),
            t.id +
                ": its notice appeared at 2019-11-05T10:02:00Z; EC2 takes it at "
                "2019-11-05T10:04:00Z, 30s of virtual time from now\n");
  EXPECT_EQ(t.struck("hard"),
            t.id + ": taken now, at 2019-11-05T10:03:30Z, before its notice had elapsed\n");
}

TEST(CtlText, ReportsWhatAFaultHasStruck) {
  Asked t;
  EXPECT_EQ(fault_text(t.post("fault", {{"kind", "power-cut"}})),
            "fault 1: {at: 0s, kind: power-cut, volumes: kept}: it has struck, now "
            "2019-11-05T10:02:00Z\n");
  EXPECT_EQ(fault_text(t.post("fault", {{"kind", "power-cut"}})),
            "fault 2: {at: 0s, kind: power-cut, volumes: kept}: it found nothing to strike, now "
            "2019-11-05T10:02:00Z\n");
  EXPECT_EQ(fault_text(t.post("fault", {{"kind", "power-cut"}, {"at", "1h"}})),
            "fault 3: {at: 1h, kind: power-cut, volumes: kept}: it waits for its instant, now "
            "2019-11-05T10:02:00Z\n");
}

TEST(CtlText, StatesThatARecommendationEndsNoInstance) {
  Asked t;
  EXPECT_EQ(t.struck("rebalance"), t.id +
                                       ": a rebalance recommendation now, at 2019-11-05T10:02:00Z; "
                                       "EC2 does not interrupt the instance for this alone\n");
  EXPECT_EQ(t.struck("hard"), t.id + ": taken now, at 2019-11-05T10:02:00Z, without a notice\n");
}

TEST(CtlText, OfADrainHasALineForEachInterruptedInstance) {
  Asked t;
  const Json pool = "p3.2xlarge/us-west-2b";
  EXPECT_EQ(struck_text(t.post("drain", {{"pool", pool}, {"slots", 1}})),
            "2019-11-05T10:02:00Z: no instance is interrupted\n");
  EXPECT_EQ(struck_text(t.post("drain", {{"pool", pool}, {"how", "hard"}})),
            t.id + ": taken now, at 2019-11-05T10:02:00Z, without a notice\n");
}

TEST(CtlText, OfTheClockStatesTheNextEvent) {
  Asked t;
  t.struck("notice");
  EXPECT_EQ(clock_text(t.look("clock")),
            "2019-11-05T10:02:00Z; the next event is at 2019-11-05T10:04:00Z, in 2m\n");
  EXPECT_EQ(reset_text(t.post("reset", Json::object())),
            "2019-11-05T10:00:00Z: the service was reset\n");
}

TEST(CtlText, OfAPriceStatesThatItIsInForce) {
  Asked t;
  EXPECT_EQ(price_text(t.post("price", {{"pool", "p3.2xlarge/us-west-2b"}, {"price", "3.5"}})),
            "p3.2xlarge/us-west-2b: $3.5000 an hour from now on, until it is set again\n");
}

TEST(CtlText, OfTheResultHasTheBillAndNoTimeOfTraining) {
  Asked t;
  const std::string text = result_text(t.look("result"));
  EXPECT_EQ(text.find("2019-11-05T10:02:00Z: $0.0"), 0u) << text;
  EXPECT_NE(text.find(t.id), std::string::npos) << text;
  EXPECT_NE(text.find("running"), std::string::npos) << text;
  EXPECT_EQ(text.find("migrate"), std::string::npos) << text;
  EXPECT_NE(instances_text(t.look("instances")).find("p3.2xlarge/us-west-2b     spot "),
            std::string::npos);
}

TEST(CtlText, ReportsThatThereAreNoInstances) {
  serve::Tested t("manual");
  EXPECT_EQ(instances_text(Json::parse(t.ask("GET", "/_spotsim/instances").body())),
            "no instances\n");
  EXPECT_EQ(result_text(Json::parse(t.ask("GET", "/_spotsim/result").body())),
            "2019-11-05T10:00:00Z: $0.0000 so far\nno instance was launched\n");
}

}  // namespace
}  // namespace sim::cli
