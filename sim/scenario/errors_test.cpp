// The messages about wrong scenarios.
#include "sim/scenario/errors.h"

#include <algorithm>

#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

TEST(Errors, AreInTheFilesOrderAfterErrorsWithoutAPosition) {
  Errors errors("f");
  errors.attribute("a", "--set a=1");
  errors.add({3, 1}, "c", "third");
  errors.add({2, 9}, "b", "second");
  errors.add({2, 1}, "b", "first");
  errors.add({9, 9}, "a.b", "of an option");
  EXPECT_EQ(errors.messages(),
            (std::vector<std::string>{"--set a=1: a.b: of an option", "f:2:1: b: first",
                                      "f:2:9: b: second", "f:3:1: c: third"}));
}

TEST(Errors, RememberWhichKeysWereReported) {
  Errors errors("f");
  errors.add({1, 1}, "market.prices[0]", "wrong");
  EXPECT_TRUE(errors.about("market.prices"));
  EXPECT_TRUE(errors.about("market"));
  EXPECT_FALSE(errors.about("mark"));
  EXPECT_FALSE(errors.about("market.prices[0].file"));
  errors.withdraw("market.prices[0]");
  EXPECT_TRUE(errors.empty());
  EXPECT_TRUE(errors.about("market.prices"));
}

TEST_F(ScenarioFile, ErrorsAreInTheFilesOrder) {
  EXPECT_EQ(errors(good("limitt: z\nseed: x\ndeadline: y\n")),
            "s.yaml:6:1: key: found unknown key \"limitt\", expected \"limit\"\n"
            "s.yaml:7:7: seed: found \"x\", expected a whole number from 0\n"
            "s.yaml:8:11: deadline: found \"y\", expected a duration such as 6h (units: d, h, m, "
            "s, ms, us, ns; no spaces)");
}

TEST_F(ScenarioFile, AJobForAdviseIsOneError) {
  EXPECT_EQ(errors("instance_type: p3.2xlarge\nwork: 20h\ndeadline: 30h\ntrace: t.json\n"),
            "s.yaml:1:1: scenario: found a job, which `spotsim advise` takes, expected a mapping "
            "with name, start, limit, market …");
}

TEST_F(ScenarioFile, ASweepInPlaceOfAScenarioIsOneError) {
  EXPECT_EQ(errors("name: s\nscenario: az-hop.yaml\nseeds: 1-3\n"),
            "s.yaml:1:1: scenario: found a sweep, which `spotsim sweep` takes, expected a mapping "
            "with name, start, limit, market …");
  EXPECT_PRED2(contains, errors("name: s\npolicies: [greedy]\n"), "found a sweep");
}

TEST_F(ScenarioFile, OneMistakeIsOneError) {
  const std::string world = "interruptions: [{at: 1h, pool: p3.2xlarge/us-west-2b, notice: 2m}]\n";
  const auto one = [this, &world](const std::string& from, const std::string& to) {
    const std::string text = errors(replaced(from, to) + world);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
    return text;
  };
  EXPECT_PRED2(contains, one("limit: 12h", "limt: 12h"), "found unknown key \"limt\"");
  EXPECT_PRED2(contains, one("limit: 12h", "limit: 12"), "a unit is missing");
  EXPECT_PRED2(contains, one("start: 2019", "start: 19"), "s.yaml:2:8: start: found");
  EXPECT_PRED2(contains, one("start: 2019", "start: 2009"), "found a trace that begins at 2019");
  EXPECT_PRED2(contains, one("[trace.csv]", "[no.csv]"), "there is no");
  EXPECT_PRED2(contains, one("prices:", "price:"), "found unknown key \"price\"");
  EXPECT_PRED2(contains, one("market: {prices: [trace.csv]}\n", ""), "market: found nothing");
  EXPECT_PRED2(contains, one("market:", "markt:"), "found unknown key \"markt\"");
  EXPECT_PRED2(contains, one("name: t", "name: t\nregion: eu-west-1"), "in the region eu-west-1");
  EXPECT_PRED2(contains, one("script: 'true'", "scrip: 'true'"), "found unknown key \"scrip\"");
  EXPECT_PRED2(contains, one(", script: 'true'", ""), "operator.script: found nothing");
  EXPECT_PRED2(contains, one("name: t", "name: t\ndurations: {interruption_notice: 2}"),
               "durations.interruption_notice: found \"2\"");
}

TEST_F(ScenarioFile, InvalidJsonIsReportedWithItsLine) {
  const auto told = [this](const std::string& json) {
    write("job/fleet.json", json);
    return errors(good());
  };
  EXPECT_EQ(told("{\n  \"a\": 1,\n}\n"),
            "s.yaml:5:19: job/fleet.json:3:1: found no JSON: syntax error while parsing object key "
            "- unexpected '}'; expected string literal");
  EXPECT_PRED2(contains, told("{\n  \"a\": 1\n  \"b\": 2}\n"), "job/fleet.json:3:");
  EXPECT_PRED2(contains, told("{"), "job/fleet.json:1:2: found no JSON: ");
  EXPECT_PRED2(contains, told(""), "job/fleet.json:1:1: found no JSON: ");
}

TEST_F(ScenarioFile, AnUnusedInvalidJsonFileIsNoError) {
  write("job/notes.json", "{ half of a file");
  write("job/other-fleet.json", fleet("p9.huge", "eu-west-1a"));
  EXPECT_EQ(errors(good()), "");
  write("job/submit.sh", "for fleet in *.json; do aws ec2 request-spot-fleet; done\n");
  EXPECT_PRED2(contains, errors(good()), "job/notes.json:1:3: found no JSON");
}

TEST_F(ScenarioFile, APoolWithoutPricesIsNamedWithThePoolsThatHavePrices) {
  EXPECT_EQ(errors(good("interruptions: [{at: 1h, pool: p2.xlarge/us-west-2a}]\n")),
            "s.yaml:6:32: interruptions[0].pool: found p2.xlarge/us-west-2a, which has no prices, "
            "expected one that market.prices has: p3.2xlarge/us-west-2a");
  EXPECT_PRED2(
      contains,
      errors(replaced("[trace.csv]",
                      "[trace.csv], capacity: [{pool: p3.2xlarge/us-west-2d, slots: 1}]")),
      "market.capacity[0].pool: found p3.2xlarge/us-west-2d, which has no prices, expected "
      "one that market.prices has: p3.2xlarge/us-west-2a, p3.2xlarge/us-west-2b");
}

TEST_F(ScenarioFile, APoolOfAFleetMustBeInTheTraces) {
  write("job/fleet.json", fleet("p3.2xlarge", "us-west-2a, us-west-2d"));
  EXPECT_EQ(errors(good()),
            "s.yaml:4:18: market.prices: found no prices of p3.2xlarge/us-west-2d, which "
            "job/fleet.json: LaunchSpecifications[0] names, expected prices; there are "
            "p3.2xlarge/us-west-2a, p3.2xlarge/us-west-2b");
  EXPECT_EQ(errors(good("availability_zones: [us-west-2a, us-west-2b]\n")),
            "s.yaml:6:21: availability_zones: found us-west-2a, us-west-2b, expected us-west-2d "
            "too, which job/fleet.json: LaunchSpecifications[0] names");
  write("job/fleet.json", fleet("p9.huge", "us-west-2a"));
  EXPECT_PRED2(contains, errors(good()),
               "s.yaml:5:19: job/fleet.json: LaunchSpecifications[0].InstanceType: found "
               "\"p9.huge\"");
}

TEST_F(ScenarioFile, ATabIsNamed) {
  const std::string expected =
      ": YAML: found a tab, expected spaces: YAML does not allow tabs as indentation";
  EXPECT_EQ(errors("name: t\nmarket:\n\tprices: [trace.csv]\n"), "s.yaml:3:1" + expected);
  EXPECT_EQ(errors("name: t\nmarket:\n  prices:\n  \t- a\n"), "s.yaml:4:3" + expected);
  EXPECT_EQ(errors("interruptions:\n  -\tat: 1h\n\tpool: x\n"), "s.yaml:2:4" + expected);
  EXPECT_EQ(errors("operator:\n  script: |\n\ttrue\n"), "s.yaml:3:1" + expected);
  EXPECT_EQ(errors("name: [t\nstart: \"\tx\"\n").find("a tab"), std::string::npos);
}

}  // namespace
}  // namespace sim::scenario
