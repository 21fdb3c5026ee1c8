#include "sim/messaging/target_input.h"

#include <gtest/gtest.h>

#include "sim/cloud/error.h"

namespace sim::messaging {
namespace {

const Json kSourceEvent = Json::parse(
    R"({"source": "aws.ec2", "detail": {"id": "i-1", "note": "a \"b\"", "ports": [22, 80]}})");

std::string made(const TargetInput& input) {
  return input_for(input, kSourceEvent, {"arn:r", "r"});
}
std::string transformed(const std::string& text) {
  return made({.transformer = {{{{"id", "$.detail.id"},
                                 {"note", "$.detail.note"},
                                 {"port", "$.detail.ports[1]"},
                                 {"none", "$.detail.none"}},
                                text}}});
}

TEST(TargetInput, IsTheEventOrAPartOfItOrAText) {
  EXPECT_EQ(made({}), kSourceEvent.dump());
  EXPECT_EQ(made({.constant = R"({"a": 1})"}), R"({"a": 1})");
  EXPECT_EQ(made({.path = "$.detail.ports"}), "[22,80]");
  EXPECT_EQ(made({.path = "$.detail.id"}), R"("i-1")");
}

TEST(TargetInput, ATransformerQuotesTextsOutsideQuotes) {
  EXPECT_EQ(transformed(R"("<id> has port <port><none>")"), R"("i-1 has port 80")");
  EXPECT_EQ(transformed(R"({"id": <id>, "port": <port>})"), R"({"id": "i-1", "port": 80})");
  EXPECT_EQ(transformed(R"({"note": "it says <note>"})"), R"({"note": "it says a \"b\""})");
  EXPECT_EQ(transformed(R"("<aws.events.rule-name>")"), R"("r")");
}

TEST(TargetInput, RefusesInvalidInputs) {
  const auto code = [](const TargetInput& input) -> std::string {
    try {
      check(input, "1");
    } catch (const cloud::ApiError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_EQ(code({.constant = "{"}), "JSON syntax error in Input for target 1.");
  EXPECT_EQ(code({.path = "detail"}), "Invalid InputPath for target 1.");
  EXPECT_EQ(code({.transformer = {{{}, "<id>"}}}),
            "InputTemplate has undefined variable id for target 1.");
  EXPECT_EQ(code({.constant = "1", .path = "$"}),
            "Only one of Input, InputPath, or InputTransformer must be provided for target 1.");
}

}  // namespace
}  // namespace sim::messaging
