#include "sim/guest/services/unit_file.h"

#include <gtest/gtest.h>

namespace sim::guest::services {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

UnitFile unit(const std::string& text) { return read_unit(text, "train@gpu.service"); }

TEST(UnitFile, HasTheKeysOfAService) {
  const UnitFile u = unit(
      "[Unit]\nDescription=Trains %i\nAfter=network.target data.service\n"
      "[Service]\nType=notify\nUser=ubuntu\nWorkingDirectory=/home/ubuntu/job\n"
      "Environment=A=1 \"B=two "
      "words\"\nEnvironment=C=\"three\"\nEnvironmentFile=-/etc/default/train\n"
      "ExecStartPre=-/bin/mkdir /data\nExecStart=/usr/bin/python3 train.py \\\n  # a remark\n"
      "  --name '%p of %i' $OPTIONS\nRestart=on-failure\nRestartSec=1min 30s\n"
      "StandardOutput=append:/var/log/train.log\n[Install]\nWantedBy=multi-user.target\n");
  EXPECT_EQ(u.description, "Trains gpu");
  EXPECT_EQ(u.after, (Words{"network.target", "data.service"}));
  EXPECT_EQ(u.environment, (Environment{{"A", "1"}, {"B", "two words"}, {"C", "three"}}));
  EXPECT_TRUE(u.start_pre.at(0).may_fail);
  EXPECT_EQ(u.start.at(0).words,
            (Words{"/usr/bin/python3", "train.py", "--name", "train of gpu", "$OPTIONS"}));
  EXPECT_EQ(u.restart_after, 90s);
  EXPECT_EQ(u.wanted_by, Words{"multi-user.target"});
  EXPECT_EQ(u.warnings, Words{"Type=notify is as Type=simple here"});
}

TEST(UnitFile, ReportsWhatItDoesNotSupport) {
  const UnitFile u = unit("[Service]\nMemoryMax=1G\nRestartSec=soon\nX-Ours=1\nBefore=a\nno\n");
  EXPECT_EQ(u.warnings,
            (Words{"MemoryMax= does nothing on a simulated instance",
                   "Failed to parse RestartSec=: soon", "Missing '=', ignoring line: no"}));
}

TEST(UnitFile, AnEmptyValueForgetsWhatCameBefore) {
  EXPECT_EQ(unit("[Service]\nExecStart=/bin/a\nExecStart=\nExecStart=/bin/b\n").start.size(), 1U);
}

TEST(UnitFile, KnowsTimeSpans) {
  Duration span{};
  for (const auto& [text, expected] : std::map<std::string, Duration>{
           {"5", 5s}, {"1.5s", 1500ms}, {"500ms", 500ms}, {"2min 3s", 123s}, {"1h", 1h}}) {
    EXPECT_TRUE(read_time_span(text, span)) << text;
    EXPECT_EQ(span, expected) << text;
  }
  for (const char* text : {"", "x", "5 parsecs", "-1"})
    EXPECT_FALSE(read_time_span(text, span)) << text;
}

TEST(UnitFile, ExpandsVariablesAsSystemdDoes) {
  const Environment environment{{"OPTIONS", "--fast 'a b'"}, {"DIR", "/data"}};
  const CommandLine command{
      .words = {"run", "$OPTIONS", "${DIR}/x", "a$OPTIONS", "$$HOME", "$NONE"}};
  EXPECT_EQ(expanded(command, environment),
            (Words{"run", "--fast", "a b", "/data/x", "a$OPTIONS", "$HOME"}));
}

TEST(UnitFile, ReadsAnEnvironmentFile) {
  EXPECT_EQ(read_environment_file("# remark\nA=1\n B = \"two words\" \nno\n; x=y\nC='3'\n"),
            (Environment{{"A", "1"}, {"B", "two words"}, {"C", "3"}}));
}

}  // namespace
}  // namespace sim::guest::services
