#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/folder_for_test.h"
#include "policies/acquisition/strategy.h"
#include "policies/checkpoint/policy.h"

namespace policies {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

class CommandStrategyTest : public testing::Test {
 protected:
  void SetUp() override {
    state_.pools = quotes_;
    state_.moves = moves_;
  }

  // A strategy that is this shell script, at the begin of a run over two pools.
  std::unique_ptr<Strategy> begun(const std::string& script, const std::string& arguments = "") {
    const fs::path file = folder_ / "policy.sh";
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    chmod(file.c_str(), 0700);
    auto named = make_strategy("command:" + file.string() + arguments);
    named.strategy->begin({.work = 8h, .deadline = 10h, .changeover = 12min, .tick = 10min}, 2,
                          5min);
    return std::move(named.strategy);
  }
  Placement answer(const std::string& line) {
    return begun("read -r begin; read -r tick; echo '" + line + "'")->decide(state_);
  }
  std::string failure(const std::string& script) {
    try {
      begun(script)->decide(state_);
    } catch (const PolicyFailed& error) {
      return error.what();
    }
    return "no failure";
  }
  std::vector<std::string> seen() const {
    std::vector<std::string> lines;
    std::ifstream file(folder_ / "seen");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  base::FolderForTest folder_;
  std::vector<PoolQuote> quotes_{{.instances = 0, .spot = 0.5, .on_demand = 2},
                                 {.instances = 3, .spot = 0.75, .on_demand = 3}};
  std::vector<PoolMove> moves_{{}, {.egress = 0.25, .time = 5min}, {}, {}};
  MarketState state_;
};

constexpr const char* kRemembers = R"(
read -r line; echo "$line" >> "$(dirname "$0")/seen"
while read -r line; do
  echo "$line" >> "$(dirname "$0")/seen"
  echo '{"rental": "idle", "because": "I can"}'
done)";

std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST_F(CommandStrategyTest, SeesTheJobAndEveryTick) {
  const auto strategy = begun(kRemembers);
  EXPECT_EQ(strategy->decide(state_), Placement{});
  state_.job = {.tick = 7, .done = 90s, .changeover_left = 30s, .now = Rental::kSpot};
  state_.pool = 1, state_.bid = 1.5, state_.data = 0, state_.interrupted = 0;
  strategy->decide(state_);
  const auto lines = seen();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], R"({"event":"begin","work":28800.0,"deadline":36000.0,"changeover":720.0,)"
                      R"("tick_time":600.0,"longest_move":300.0,"pools":2})");
  EXPECT_EQ(lines[1],
            R"({"event":"tick","tick":0,"done":0.0,"held":"idle","pool":null,"bid":null,)"
            R"("changeover_left":0.0,"interrupted":null,"data":null,"pools":[)"
            R"({"instances":0,"spot":0.5,"on_demand":2.0,"egress":0.0,"move_time":0.0},)"
            R"({"instances":3,"spot":0.75,"on_demand":3.0,"egress":0.0,"move_time":0.0}]})");
  EXPECT_EQ(lines[2],
            R"({"event":"tick","tick":7,"done":90.0,"held":"spot","pool":1,"bid":1.5,)"
            R"("changeover_left":30.0,"interrupted":0,"data":0,"pools":[)"
            R"({"instances":0,"spot":0.5,"on_demand":2.0,"egress":0.0,"move_time":0.0},)"
            R"({"instances":3,"spot":0.75,"on_demand":3.0,"egress":0.25,"move_time":300.0}]})");
}

// Rows and examples of the page, in the order in which the fields are sent.
TEST_F(CommandStrategyTest, SendsTheFieldsThatThePageDescribes) {
  begun(kRemembers)->decide(state_);
  const auto lines = seen();
  const auto begin = nlohmann::ordered_json::parse(lines.at(0));
  const auto tick = nlohmann::ordered_json::parse(lines.at(1));
  std::vector<std::string> sent;
  for (const auto& object : {begin, tick, tick["pools"][1]})
    for (const std::string& key : keys_of(object)) sent.push_back(key);
  std::ifstream page(fs::path(SPOTSIM_SOURCE_DIR) / "docs" / "policies.md");
  std::string line, examples;
  while (std::getline(page, line) && line != "## A program as a strategy") continue;
  std::vector<std::string> described;
  while (std::getline(page, line) && !line.starts_with("#")) {
    if (line.starts_with("| `")) described.push_back(line.substr(3, line.find('`', 3) - 3));
    if (line.starts_with("    ")) examples += line;
  }
  EXPECT_EQ(described, sent);
  const std::size_t second = examples.find("{\"event\":\"tick\"");
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(keys_of(nlohmann::ordered_json::parse(examples.substr(0, second))), keys_of(begin));
  const auto example = nlohmann::ordered_json::parse(examples.substr(second));
  EXPECT_EQ(keys_of(example), keys_of(tick));
  EXPECT_EQ(keys_of(example["pools"][0]), keys_of(tick["pools"][0]));
}

TEST_F(CommandStrategyTest, AnswersNameWhatToHoldAndPerhapsWhereAndForHowMuch) {
  EXPECT_EQ(answer(R"({"rental": "idle"})"), Placement{});
  EXPECT_EQ(answer(R"({"rental": "spot"})"), (Placement{Rental::kSpot, 1, 3})) << "0 has none";
  EXPECT_EQ(answer(R"({"rental": "spot", "pool": 0, "bid": 0.9})"),
            (Placement{Rental::kSpot, 0, 0.9}));
  EXPECT_EQ(answer(R"({"rental": "on-demand"})"), (Placement{Rental::kOnDemand, 0, 0}))
      << "the cheapest";
  EXPECT_EQ(answer(R"({"rental": "on-demand", "pool": 1, "bid": null})"),
            (Placement{Rental::kOnDemand, 1, 0}));
  state_.job.now = Rental::kOnDemand, state_.pool = 1;
  EXPECT_EQ(answer(R"({"rental": "on-demand"})"), (Placement{Rental::kOnDemand, 1, 0})) << "held";
}

TEST_F(CommandStrategyTest, OneThatDiesOrTalksNonsenseIsAnError) {
  EXPECT_NE(failure("read -r begin; read -r tick; exit 3").find("has ended with exit status 3"),
            std::string::npos);
  for (const char* line :
       {"spot", "[]", R"({"rental": "both"})", R"({"rental": 1})", R"({"pool": 0})",
        R"({"rental": "spot", "pool": 2})", R"({"rental": "spot", "pool": -1})",
        R"({"rental": "spot", "pool": 0.5})", R"({"rental": "spot", "bid": 0})",
        R"({"rental": "spot", "bid": "1"})"})
    EXPECT_NE(failure("read -r a; read -r b; echo '" + std::string(line) + "'")
                  .find("answered '" + std::string(line) + R"(', expected {"rental": "idle"})"),
              std::string::npos)
        << line;
}

TEST_F(CommandStrategyTest, AProgramThatIsNotThereIsAnErrorAtTheStart) {
  EXPECT_THROW(make_strategy("command:/no/such/program"), std::invalid_argument);
  EXPECT_THROW(make_strategy("command:"), std::invalid_argument);
  EXPECT_THROW(make_strategy("command"), std::invalid_argument);
}

TEST_F(CommandStrategyTest, ItsArgumentsMayHaveAPlus) {
  const auto strategy =
      begun(R"(read -r begin; read -r tick; echo "$1")", R"( '{"rental": "spot", "bid": 1e+0}')");
  EXPECT_EQ(strategy->decide(state_), (Placement{Rental::kSpot, 1, 1}));
  EXPECT_FALSE(is_acquisition_policy("command:a+b"));
}

}  // namespace
}  // namespace policies
