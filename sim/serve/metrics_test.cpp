#include "sim/serve/metrics.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "sim/serve/exposition.h"
#include "sim/serve/testbed_for_test.h"

namespace sim::serve {
namespace {

// Reads Prometheus' text format 0.0.4, and checks what its own tools check: HELP and TYPE come once
// and before the samples of a family, no series comes twice, and a counter ends with "_total".
std::map<std::string, double> parsed(const std::string& text) {
  static const std::regex comment("# (HELP|TYPE) ([a-z][a-z0-9_]*) (.+)"),
      sample(
          "([a-z][a-z0-9_]*)(\\{[a-z_]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\""
          "(,[a-z_]+=\"([^\"\\\\\n]|\\\\[\\\\\"n])*\")*\\})? (\\+Inf|-?[0-9.e+-]+)");
  std::map<std::string, double> series;
  std::set<std::string> helped, typed;
  std::string family;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, comment)) {
      family = found[2];
      EXPECT_TRUE((found[1] == "HELP" ? helped : typed).insert(family).second) << line;
      if (found[1] == "TYPE") {
        EXPECT_EQ(found[3] == "counter", family.ends_with("_total")) << line;
        EXPECT_TRUE(found[3] == "counter" || found[3] == "gauge") << line;
      }
    } else if (std::regex_match(line, found, sample)) {
      EXPECT_EQ(found[1], family) << "a sample stands with its family";
      EXPECT_TRUE(helped.contains(family) && typed.contains(family)) << line;
      EXPECT_TRUE(series.emplace(found[1].str() + found[2].str(), std::stod(found[6])).second)
          << line;
    } else {
      ADD_FAILURE() << "not of the format: " << line;
    }
  }
  EXPECT_TRUE(text.ends_with('\n'));
  return series;
}

struct Scraped : Tested {
  Scraped() : Tested("manual") {}
  std::map<std::string, double> scrape() {
    const fakes::Response answer = send("GET", "/metrics", "", {});  // as Prometheus asks
    EXPECT_EQ(answer.result_int(), 200u);
    EXPECT_EQ(answer["Content-Type"], kExpositionType);
    return parsed(answer.body());
  }
};

TEST(Metrics, CountResourcesAndEvents) {
  Scraped t;
  const std::string id = t.launch(true);
  t.launch(true);
  t.launch();
  t.post("clock", {{"by", "2m"}});
  t.post("interrupt", {{"instance", id}, {"how", "hard"}});
  t.refused("clock", "{}", 400);
  t.ec2("DescribeInstances");
  t.ec2("DescribeInstances&InstanceId.1=i-0123456789abcdef0");
  const auto series = t.scrape();
  const std::string pool = R"(type="p3.2xlarge",zone="us-west-2b")";
  EXPECT_EQ(series.at(R"(spotsim_instances{state="running",)" + pool + R"(,lifecycle="spot"})"), 1);
  EXPECT_EQ(
      series.at(R"(spotsim_instances{state="running",)" + pool + R"(,lifecycle="on-demand"})"), 1);
  EXPECT_EQ(
      series.at("spotsim_interruptions_total{" + pool + R"(,reason="no-capacity",notice="false"})"),
      1);
  EXPECT_EQ(
      series.at(R"(spotsim_api_calls_total{service="ec2",action="RunInstances",result="ok"})"), 3);
  EXPECT_EQ(series.at(R"(spotsim_api_calls_total{service="ec2",action="DescribeInstances",)"
                      R"(result="InvalidInstanceID.NotFound"})"),
            1);
  EXPECT_EQ(series.at(R"(spotsim_control_calls_total{action="clock",result="refused"})"), 1);
  EXPECT_GT(series.at("spotsim_spot_price_usd_per_hour{" + pool + "}"), 0);
  EXPECT_EQ(series.at("spotsim_virtual_time_seconds"), 1572948000 + 120);
  EXPECT_EQ(series.at("spotsim_cost_usd_total"),
            t.testbed->served().cloud().cost_so_far().dollars());
  EXPECT_EQ(series.at("spotsim_log_events_total"),
            static_cast<double>(t.testbed->served().log().lines()));
  EXPECT_EQ(series.at(R"(spotsim_volumes{state="in-use",type="gp2",zone="us-west-2b"})"), 3);
}

TEST(Metrics, AScrapeChangesNothing) {
  Tested t("max");
  t.launch();
  const std::string before = t.log();
  t.send("GET", "/metrics", "", {});
  EXPECT_EQ(t.log(), before);
  t.ask("POST", "/_spotsim/reset", "{}");
  EXPECT_NE(t.send("GET", "/metrics", "", {}).body().find("spotsim_log_events_total"),
            std::string::npos);
}

TEST(Metrics, NamesFromClientsMakeNoSeriesOfTheirOwn) {
  Scraped t;
  for (const char* action : {"Dance", "Sing", "x\"y\\z%0A"}) t.ec2(action);
  int calls = 0;
  for (const auto& [series, value] : t.scrape()) calls += series.starts_with("spotsim_api_calls");
  EXPECT_EQ(calls, 1);
}

TEST(Metrics, LabelsAreEscaped) {
  Exposition out;
  out.family("a", Exposition::Type::kGauge, "A.");
  out.sample({{"name", "x\"y\\z\n\xff"}}, 0.5);
  const std::string text = out.take();
  EXPECT_NE(text.find(R"(a{name="x\"y\\z\n)"), std::string::npos) << text;
  EXPECT_EQ(parsed(text).size(), 1u);
}

}  // namespace
}  // namespace sim::serve
