#include <cstdlib>

#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"

namespace sim::cli {
namespace {

// Nothing listens on ports 1 and 2.
class CtlCommandTest : public OnTheCommandLine {
 protected:
  CtlCommandTest() : OnTheCommandLine({add_ctl_command}) {}
  void TearDown() override {
    unsetenv("SPOTSIM_URL");
    OnTheCommandLine::TearDown();
  }
  std::string asked(const std::string& arguments) {
    EXPECT_EQ(spotsim("ctl " + arguments), 2) << arguments;
    return err_;
  }
};

TEST_F(CtlCommandTest, AnOptionPrecedesTheEnvironment) {
  const auto nobody_at = [](const char* url) {
    return std::string("spotsim: found no answer from ") + url;
  };
  setenv("SPOTSIM_URL", "http://127.0.0.1:2", 1);
  for (const char* word : {"clock", "reset", "log", "result", "instances"}) {
    EXPECT_EQ(asked(word).rfind(nobody_at("http://127.0.0.1:2"), 0), 0u) << word << err_;
    EXPECT_EQ(asked(word + std::string(" --url http://127.0.0.1:1"))
                  .rfind(nobody_at("http://127.0.0.1:1"), 0),
              0u)
        << word << err_;
  }
}

}  // namespace
}  // namespace sim::cli
