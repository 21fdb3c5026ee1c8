#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/cli/schema/schemas.h"
#include "sim/faults/kinds.h"

namespace sim::cli {
namespace {

Json printed(std::string_view name) {
  return schema_for_editors(*std::ranges::find(schemas(), name, &Schema::name));
}

TEST(Schema, EveryOneIsBuiltIn) {
  for (const Schema& schema : schemas()) EXPECT_FALSE(schema.text.empty()) << schema.name;
}

TEST(Schema, EveryOneIsPrintedAsJson) {
  for (const Schema& schema : schemas())
    EXPECT_TRUE(Json::accept(schema_for_editors(schema).dump())) << schema.name;
  EXPECT_EQ(printed("faults")["items"], printed("scenario")["$defs"]["faults"]["items"]);
}

TEST(Schema, ARequiredDefaultBecomesARule) {
  Json schema = {{"properties",
                  {{"a", {{"type", "integer"}, {"default", "required"}, {"description", "x"}}},
                   {"b", {{"type", "integer"}, {"default", "5"}, {"description", "x"}}},
                   {"c", {{"type", "string"}, {"default", "the b"}, {"description", "x"}}}}}};
  complete_schema(schema);
  EXPECT_EQ(schema["required"], Json::array({"a"}));
  EXPECT_FALSE(schema["properties"]["a"].contains("default"));
  EXPECT_EQ(schema["properties"]["b"]["default"], 5);
  EXPECT_EQ(schema["properties"]["c"]["description"], "x. Default: the b");
}

TEST(Schema, AScenarioBasedOnAnotherMayLackKeys) {
  const Json schema = printed("scenario");
  EXPECT_FALSE(schema.contains("required"));
  EXPECT_EQ(schema["if"]["required"], Json::array({"based_on"}));
  EXPECT_NE(schema["else"]["required"].dump().find("\"market\""), std::string::npos);
}

TEST(Schema, FaultsHaveEveryKindWithItsParameters) {
  const Json fault = printed("faults")["$defs"]["fault"];
  ASSERT_EQ(fault["allOf"].size(), faults::kinds().size());
  for (std::size_t i = 0; i < faults::kinds().size(); ++i)
    for (const auto& parameter : faults::kinds()[i]->parameters)
      EXPECT_TRUE(fault["allOf"][i]["then"]["properties"].contains(std::string(parameter.name)))
          << faults::kinds()[i]->name << " " << parameter.name;
}

TEST(Schema, NamesComeFromTheProgramsTables) {
  const std::string text = printed("scenario").dump();
  for (const char* name : {"\"p3.2xlarge\"", "\"RunInstances\"", "\"trainer.step\"",
                           "\"on-notice\"", "\"torn-write\""})
    EXPECT_NE(text.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace sim::cli
