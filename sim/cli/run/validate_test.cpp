#include "sim/cli/run/validate.h"

#include <gtest/gtest.h>

#include <string>

namespace sim::cli {
namespace {

const auto kScenarioFolder = std::filesystem::path(SPOTSIM_SOURCE_DIR) / "scenarios";

struct Validated {
  int status = 0;
  std::string out, errors;
};

Validated validated(const ValidateCommand& command) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Validated v{.status = validate(command)};
  v.out = testing::internal::GetCapturedStdout();
  v.errors = testing::internal::GetCapturedStderr();
  return v;
}

TEST(Validate, DescribesAValidScenario) {
  const auto v = validated({.scenarios = {kScenarioFolder / "az-hop.yaml"}});
  EXPECT_EQ(v.status, 0);
  EXPECT_NE(v.out.find("az-hop.yaml: az-hop: "), std::string::npos) << v.out;
  EXPECT_EQ(v.errors, "");
}

TEST(Validate, RefusesWhatFiberGuestsCannotModel) {
  const std::filesystem::path script = kScenarioFolder / "user-data-script.yaml";
  EXPECT_EQ(validated({.scenarios = {script}}).status, 0);
  const Validated by_key = validated({.scenarios = {script}, .set = {"guest=fiber"}});
  EXPECT_EQ(by_key.status, 2);
  EXPECT_EQ(by_key.out, "");
  EXPECT_NE(by_key.errors.find("user-data-script.yaml:"), std::string::npos) << by_key.errors;
  EXPECT_NE(by_key.errors.find("operator.script: found"), std::string::npos) << by_key.errors;
  const Validated by_option =
      validated({.scenarios = {script}, .guest = scenario::GuestKind::kFiber});
  EXPECT_EQ(by_option.errors, by_key.errors);
}

TEST(Validate, WarnsOfADeadlineAfterTheLimit) {
  const auto v =
      validated({.scenarios = {kScenarioFolder / "az-hop.yaml"}, .set = {"deadline=9h"}});
  EXPECT_EQ(v.status, 0);
  EXPECT_NE(v.errors.find("deadline: warning: found 9h, expected at most the limit of 8h"),
            std::string::npos)
      << v.errors;
}

}  // namespace
}  // namespace sim::cli
