#include "sim/cli/init/script_facts.h"

#include <gtest/gtest.h>

namespace sim::cli {
namespace {

using Names = std::set<std::string>;

ScriptFacts facts(const std::string& script) { return facts_of(script, "/none"); }

TEST(ScriptFacts, AVariableWithAnotherValueIsUnknown) {
  for (const char* const changed :
       {"BUCKET=$(aws ssm get-parameter --name b)", "export BUCKET=`cat b`", "BUCKET+=x$y",
        "read -r BUCKET < b", "while IFS= read -r A BUCKET; do", "for BUCKET in a b; do",
        "if x; then BUCKET=$1; fi", "[ -n \"$1\" ] && BUCKET=$1", "A=1 BUCKET=$1", "unset BUCKET"})
    EXPECT_EQ(
        facts("BUCKET=default\n" + std::string(changed) + "\naws s3 ls s3://$BUCKET/x\n").buckets,
        Names{})
        << changed;
  EXPECT_EQ(facts("B=old\nB=$(x); aws s3 ls s3://$B/x\n").buckets, Names{});
  for (const char* const other : {"docker run -e BUCKET=$X image", "echo read BUCKET for BUCKET",
                                  "# BUCKET=$(x)", "BUCKET=$BUCKET", "BUCKET=def\"ault\""})
    EXPECT_EQ(
        facts("BUCKET=default\n" + std::string(other) + "\naws s3 ls s3://$BUCKET/x\n").buckets,
        Names{"default"})
        << other;
}

}  // namespace
}  // namespace sim::cli
