#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/folder_for_test.h"
#include "policies/checkpoint/policy.h"

namespace policies {
namespace {

namespace fs = std::filesystem;

class CommandPolicy : public testing::Test {
 protected:
  // The policies `others`, followed by a policy that is this shell script.
  CheckpointPolicies policy(const std::string& script, const std::string& others = "") const {
    const fs::path file = folder_ / "policy.sh";
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    chmod(file.c_str(), 0700);
    return CheckpointPolicies(others + "command:" + file.string());
  }
  std::string failure(const std::string& script) const {
    CheckpointPolicies policies = policy(script);
    try {
      policies.decide({.step = 1});
      policies.decide({.step = 2});
    } catch (const PolicyFailed& error) {
      return error.what();
    }
    return "";
  }

  base::FolderForTest folder_;
};

TEST_F(CommandPolicy, SeesEveryStateAndItsAnswerCounts) {
  CheckpointPolicies policies = policy(R"(
while read -r line; do
  echo "$line" >> "$(dirname "$0")/seen"
  case $line in
    *'"step":2,'*) echo '{"save": "incremental"}' ;;
    *'"step":3,'*) echo '{"save": "full", "because": "three"}' ;;
    *) echo '{"save": "no"}' ;;
  esac
done)");
  EXPECT_FALSE(policies.decide({.step = 1}));
  EXPECT_EQ(policies.decide({.step = 2})->size, Save::incremental);
  const std::vector<Duration> lives{std::chrono::hours(1)};
  CheckpointState state{.step = 3, .time_left = std::chrono::milliseconds(1500), .price = 0.25};
  state.lives = lives;
  EXPECT_EQ(policies.decide(state)->size, Save::full);
  std::ifstream seen(folder_ / "seen");
  std::string line;
  for (int i = 0; i < 3; ++i) std::getline(seen, line);
  for (const char* part : {R"("time_left":1.5)", R"("price":0.25)", R"("lives":[3600.0])",
                           R"("bid":null)", R"("notice":false)"}) {
    EXPECT_NE(line.find(part), std::string::npos) << line;
  }
}

// The table's rows and the example, both in the order in which the fields are sent.
TEST_F(CommandPolicy, SendsTheFieldsThatThePageDescribes) {
  CheckpointPolicies policies = policy(R"(
read -r line
echo "$line" > "$(dirname "$0")/seen"
echo '{"save": "no"}')");
  policies.decide({.step = 1});
  const auto keys_of = [](const std::string& json) {
    std::vector<std::string> keys;
    const auto object = nlohmann::ordered_json::parse(json);
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
  };
  std::string sent, line, example;
  std::ifstream seen(folder_ / "seen");
  std::getline(seen, sent);
  std::ifstream page(fs::path(SPOTSIM_SOURCE_DIR) / "docs" / "policies.md");
  while (std::getline(page, line) && line != "## A program as a policy") continue;
  std::vector<std::string> described;
  while (std::getline(page, line) && !line.starts_with("#")) {
    if (line.starts_with("| `")) described.push_back(line.substr(3, line.find('`', 3) - 3));
    if (line.starts_with("    {") || !example.empty()) {
      example += line;
      if (line.ends_with('}')) break;
    }
  }
  EXPECT_EQ(described, keys_of(sent));
  EXPECT_EQ(keys_of(example), keys_of(sent));
}

TEST_F(CommandPolicy, DoesNotSeeTheFutureThatAnOracleBesideItSees) {
  CheckpointPolicies policies = policy(R"(
while read -r line; do
  case $line in
    *'"next_interruption":null'*) echo '{"save": "no"}' ;;
    *) echo '{"save": "full"}' ;;
  esac
done)",
                                       "oracle,");
  using std::chrono::seconds;
  CheckpointState state{.step = 3,
                        .step_time = seconds(10),
                        .checkpoint_cost = seconds(1),
                        .next_interruption = seconds(60),
                        .next_save = seconds(1)};
  EXPECT_FALSE(policies.decide(state));
  state.next_interruption = seconds(5);
  EXPECT_EQ(policies.decide(state)->policy, "oracle");
  EXPECT_TRUE(policies.need(Input::next_interruption));
  EXPECT_FALSE(policy("cat").need(Input::next_interruption));
}

TEST_F(CommandPolicy, OneThatDiesOrTalksNonsenseIsAnError) {
  EXPECT_NE(failure("exit 0").find("has ended"), std::string::npos);
  EXPECT_NE(failure("read line; echo yes").find("answered 'yes', expected {"), std::string::npos);
  EXPECT_NE(failure("read line; echo '{\"save\": 1}'").find("expected {"), std::string::npos);
  EXPECT_NE(failure("head -c 200000 /dev/zero; sleep 10").find("more than 64 KiB"),
            std::string::npos);
}

TEST_F(CommandPolicy, AFailureReportsTheStatusAndTheLastLineOfStderr) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(failure("read line; echo 'at first' >&2; printf 'no such file\\n\\n' >&2; exit 7"),
            "policy program " + (folder_ / "policy.sh").string() +
                " has ended with exit status 7, its last words: no such file");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "at first\nno such file\n\n");
}

TEST_F(CommandPolicy, AnswersDespiteMuchOutputOnStderr) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(policy("read line; head -c 300000 /dev/zero | tr '\\0' x >&2; "
                   "echo '{\"save\": \"full\"}'; read line")
                .decide({.step = 1})
                ->size,
            Save::full);
  EXPECT_EQ(testing::internal::GetCapturedStderr().size(), 300000u);
}

TEST_F(CommandPolicy, AFailedStartIsReportedWithARemedy) {
  const fs::path file = folder_ / "own.py";
  const auto refusal = [](const std::string& program) -> std::string {
    try {
      CheckpointPolicies("command:" + program);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const std::string begin =
      "checkpoint policy 'command:" + file.string() + "': cannot start " + file.string() + ": ";
  EXPECT_EQ(refusal(file), begin + "No such file or directory");
  std::ofstream(file) << "import sys\n";
  EXPECT_EQ(refusal(file), begin + "Permission denied (chmod +x makes it executable)");
  chmod(file.c_str(), 0700);
  EXPECT_EQ(refusal(file), begin +
                               "Exec format error (a script's first line names its interpreter: "
                               "#!/usr/bin/env python3)");
  std::ofstream(file) << "#!/usr/bin/pyhton\n";
  EXPECT_EQ(refusal(file), begin +
                               "No such file or directory (its first line names an interpreter "
                               "that is not there)");
  EXPECT_NE(refusal("own.py").find("(not on PATH; a program in a folder has a slash in its name, "
                                   "such as ./own.py)"),
            std::string::npos);
}

TEST_F(CommandPolicy, TakesArgumentsInAShellsQuotes) {
  const fs::path file = folder_ / "by argument.sh";
  std::ofstream(file) << R"(#!/bin/sh
while read -r line; do
  case "$line" in
    *"\"step\":$2,"*) echo "{\"save\": \"$1\"}" ;;
    *) echo '{"save": "no"}' ;;
  esac
done)";
  chmod(file.c_str(), 0700);
  CheckpointPolicies policies("none,command:'" + file.string() + "' incremental \"3\",steps:9");
  EXPECT_FALSE(policies.decide({.step = 2}));
  EXPECT_EQ(policies.decide({.step = 3})->size, Save::incremental);
  EXPECT_EQ(policies.decide({.step = 9})->policy, "steps:9");
  EXPECT_THROW(CheckpointPolicies("command:'" + file.string()), std::invalid_argument);
}

TEST_F(CommandPolicy, AProgramThatIsNotThereIsAnErrorAtTheStart) {
  EXPECT_THROW(CheckpointPolicies("command:/no/such/program"), std::invalid_argument);
  EXPECT_THROW(CheckpointPolicies("command:"), std::invalid_argument);
}

TEST_F(CommandPolicy, AProgramThatIgnoresItsInputsEndIsKilled) {
  { policy("echo $$ > \"$(dirname \"$0\")/pid\"; exec sleep 100").require({}); }
  int pid = 0;
  std::ifstream(folder_ / "pid") >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_NE(kill(pid, 0), 0);
}

}  // namespace
}  // namespace policies
