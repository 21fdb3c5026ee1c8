// Commands that are missing and clones that fail are reported when they happen.
#include <gtest/gtest.h>

#include "base/json/json_text.h"
#include "sim/guest/process/host_for_test.h"

namespace sim::guest::test {
namespace {

class CommandErrors : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = obstacle(Level::kRoot); !why.empty())
      GTEST_SKIP() << "no root sandbox here: " << why;
  }
};

// The log's events about the commands of a script, without the name of the script's file.
std::vector<std::string> errors_of(const std::string& script) {
  HostWorld w(Level::kRoot);
  w.launch(script);
  EXPECT_TRUE(w.wait("guest.exit"));
  std::vector<std::string> errors;
  for (const Event& event : w.events) {
    if (event.kind != "guest.command-error") continue;
    const std::string message = base::text_of(event.fields, "message");
    const std::string name = "/part-001: ";
    const auto at = message.find(name);
    errors.push_back(at == message.npos ? message : message.substr(at + name.size()));
  }
  return errors;
}

using Errors = std::vector<std::string>;

TEST_F(CommandErrors, ReportsCommandsThatAreMissing) {
  EXPECT_EQ(errors_of("nosuch --all\n"
                      "/opt/nosuch/bin/tool\n"
                      "for i in 1 2 3; do echo again; alsonot; done\n"  // once
                      "sh -c thirdnot\n"
                      "exec >/var/log/mine 2>&1\n"
                      "inalog\n"
                      "inapipe 2>&1 | cat\n"
                      "inachain 2>&1 | cat | cat\n"
                      "inaloop 2>&1 | while read -r line; do echo \"$(pwd) $line\"; done\n"
                      "true\n"),
            (Errors{"line 2: nosuch: command not found",
                    "line 3: /opt/nosuch/bin/tool: No such file or directory",
                    "line 4: alsonot: command not found", "sh: 1: thirdnot: not found",
                    "line 7: inalog: command not found", "line 8: inapipe: command not found",
                    "line 9: inachain: command not found", "line 10: inaloop: command not found"}));
}

TEST_F(CommandErrors, DoesNotReportACommandThatMayBeMissing) {
  EXPECT_EQ(errors_of("nosuch 2>/dev/null || echo without\n"
                      "command -v nosuch || which nosuch\n"
                      "(echo not found >&2; echo other >&2; exit 127)\n"
                      "python3 -c 'import os, sys; os._exit(127)'\n"),
            Errors{});
}

TEST_F(CommandErrors, ReportsWhatAStoppedReaderHasNotTaken) {
  EXPECT_EQ(errors_of("for i in {1..20}; do nosuch; done 2>&1 | sh -c 'kill -STOP $$' &\n"
                      "sleep 60\n"
                      "kill -KILL $!\n"),
            Errors{"line 2: nosuch: command not found"});
}

TEST_F(CommandErrors, ReportsAFailedClone) {
  const auto errors = errors_of(
      "git clone https://git.example.org/none.git /tmp/a\n"
      "git clone -q /tmp/nothing /tmp/b\n"
      "git -C /tmp log\n");  // fails, too, and is no clone
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(errors[0].find("fatal: unable to access 'https://git.example.org/none.git/'"),
            std::string::npos)
      << errors[0];
  EXPECT_NE(errors[1].find("fatal: repository '/tmp/nothing' does not exist"), std::string::npos)
      << errors[1];
}

}  // namespace
}  // namespace sim::guest::test
