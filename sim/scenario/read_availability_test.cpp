#include "sim/scenario/scenario_file_for_test.h"

namespace sim::scenario {
namespace {

TEST_F(ScenarioFile, CapacityIsReplayedFromATrace) {
  write("us-west-2a_v100.json",
        R"({"metadata": {"gap_seconds": 3600}, "data": [1, 1, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 1]})");
  const auto with = [this](const std::string& more) {
    return replaced("prices: [trace.csv]",
                    "prices: [trace.csv], availability: [{file: "
                    "us-west-2a_v100.json, instance_type: p3.2xlarge" +
                        more + "}]");
  };
  const Scenario s = read(with(", from: 30m"));
  ASSERT_EQ(s.capacity.size(), 4u);
  const market::Pool pool{"p3.2xlarge", "us-west-2a"};
  const std::pair<Duration, int> expected[] = {{0s, 1}, {90min, 0}, {210min, 2}, {690min, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(s.capacity[i].pool, pool);
    EXPECT_EQ(s.capacity[i].after, expected[i].first);
    EXPECT_EQ(s.capacity[i].slots, expected[i].second);
    EXPECT_TRUE(s.capacity[i].reclaim);
  }
  EXPECT_PRED2(contains, errors(with(", from: 2h")),
               "market.availability[0].file: found 11h of capacity for p3.2xlarge/us-west-2a "
               "after `from`, expected capacity until the run's limit of 12h");
  EXPECT_PRED2(contains, errors(with(", capacity: 3")),
               "market.availability[0]: found unknown key \"capacity\"");
  EXPECT_PRED2(contains,
               errors(replaced("prices: [trace.csv]",
                               "prices: [trace.csv], availability: [{file: trace.csv, "
                               "instance_type: p3.2xlarge}]")),
               "expected an availability trace that looks like one of");
}

// Two windows of an hour in each of two zones' three kinds of GPU.
class WindowsOfSeveralTypes : public ScenarioFile {
 protected:
  void SetUp() override {
    ScenarioFile::SetUp();
    write("start_indices.json",
          R"({"zones_in_order": ["us-west-2a_v100_1", "us-west-2a_k80_1", "us-west-2b_v100_1"],
              "gap_seconds": 3600})");
    write("windows.txt",
          "0000000000000\n1111111111111\n"
          "1111111111111\n0000000000000\n"
          "0011111111111\n0000000000000\n");
  }
  static std::string with(const std::string& more) {
    return replaced("prices: [trace.csv]",
                    "prices: [trace.csv], availability: [{file: windows.txt, instance_type: "
                    "p3.2xlarge" +
                        more + "}]");
  }
};

TEST_F(WindowsOfSeveralTypes, StartsMustBeAsManyAsWindows) {
  for (const char* starts : {"[5]", "[5, -1]", "[5, 6.5]", "7", "[5, 6]"}) {
    write("start_indices.json",
          R"({"zones_in_order": ["us-west-2a_v100_1", "us-west-2a_k80_1", "us-west-2b_v100_1"],
              "start_index": )" +
              std::string(starts) + "}");
    const std::string said = errors(with(", window: 0, trace_type: v100_1"));
    EXPECT_EQ(said.find("start_index") != said.npos, std::string(starts) != "[5, 6]") << said;
  }
}

TEST_F(WindowsOfSeveralTypes, OneTypeIsTaken) {
  const Scenario s = read(with(", window: 0, trace_type: v100_1"));
  ASSERT_EQ(s.capacity.size(), 3u);
  EXPECT_EQ(s.capacity[0].pool.availability_zone, "us-west-2a");
  EXPECT_EQ(s.capacity[0].slots, 1);
  EXPECT_EQ(s.capacity[1].pool.availability_zone, "us-west-2b");
  EXPECT_EQ(s.capacity[2].after, 2h);
  EXPECT_EQ(s.capacity[2].slots, 0);
  EXPECT_EQ(read(with(", window: 0, trace_type: k80_1")).capacity.at(0).slots, 0);
}

TEST_F(WindowsOfSeveralTypes, TypeAndWindowMustBeStated) {
  EXPECT_EQ(errors(with(", window: 0")),
            "s.yaml:4:53: market.availability[0].file: found several types in a zone, expected "
            "also `trace_type`, one of k80_1, v100_1");
  EXPECT_PRED2(contains, errors(with(", window: 0, trace_type: a100")),
               "market.availability[0].trace_type: found \"a100\", expected one of the trace's "
               "types, k80_1, v100_1");
  EXPECT_EQ(errors(with("")),
            "s.yaml:4:53: market.availability[0].file: found a file of windows, expected also "
            "`window`, 0 to 1");
  EXPECT_PRED2(contains, errors(with(", window: 2")),
               "market.availability[0].window: found \"2\", expected 0 to 1, the windows of the "
               "file");
}

TEST_F(ScenarioFile, AWindowNeedsAFileOfWindows) {
  write("us-west-2a_v100.json", R"({"metadata": {"gap_seconds": 86400}, "data": [1, 1]})");
  EXPECT_PRED2(contains,
               errors(replaced("prices: [trace.csv]",
                               "prices: [trace.csv], availability: [{file: us-west-2a_v100.json, "
                               "instance_type: p3.2xlarge, window: 0}]")),
               "market.availability[0].window: found for a trace that is no file of windows");
}

TEST_F(ScenarioFile, CapacityNeedsAPoolWithPrices) {
  write("us-west-2d_v100.json", R"({"metadata": {"gap_seconds": 86400}, "data": [1, 1]})");
  EXPECT_PRED2(contains,
               errors(replaced("prices: [trace.csv]",
                               "prices: [trace.csv], availability: [{file: us-west-2d_v100.json, "
                               "instance_type: p3.2xlarge}]")),
               "market.availability[0].file: found capacity of p3.2xlarge/us-west-2d, expected of "
               "a pool that market.prices has: p3.2xlarge/us-west-2a, p3.2xlarge/us-west-2b");
}

}  // namespace
}  // namespace sim::scenario
