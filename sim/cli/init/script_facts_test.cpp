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

TEST(ScriptFacts, LinesMayHaveAnyLength) {
  const std::string longest(1 << 20, 'x');
  const ScriptFacts found =
      facts("A=" + longest + "\nIFS=" + longest + " read " + longest + "\naws s3 ls s3://b" +
            longest + "/" + longest + " '\xff' $" + longest + "\nB=a\xff; aws s3 ls s3://b-2/x\n");
  EXPECT_EQ(found.buckets, (Names{"b" + longest, "b-2"}));
}

TEST(ScriptFacts, TheFolderFollowsTheScript) {
  const auto folder = [](const std::string& script) { return facts(script).folder; };
  EXPECT_EQ(folder("cd /home/ubuntu && cd work\ncd ./a/../b"), "/home/ubuntu/work/b");
  EXPECT_EQ(folder("cd /work/\n(cd /tmp && tar x)\necho cd /x; echo 'a && cd /y'"), "/work");
  EXPECT_EQ(folder("cd -P \"/work\"\nif ! cd b; then exit; fi"), "/work/b");
  for (const char* const unknown :
       {"cd $X", "cd", "cd -", "cd ~ubuntu", "cd \"$(dirname \"$0\")\""})
    EXPECT_EQ(folder("cd /work\n" + std::string(unknown)), "") << unknown;
  EXPECT_EQ(folder("cd work"), "");
}

TEST(ScriptFacts, CopiesOfACheckpointAreThoseOfItsFolder) {
  const auto copies = [](const std::string& script, const std::string& checkpoint) {
    return copies_of(checkpoint, facts(script));
  };
  const std::string both =
      "cd /work\naws s3 sync --quiet ./ckpt s3://b/ckpt/\naws s3 cp train.log s3://b/logs/\n";
  EXPECT_EQ(copies(both, "ckpt/a.pt"), Names{"s3://b/ckpt"});
  EXPECT_EQ(copies(both, "/work/ckpt/*.pt"), Names{"s3://b/ckpt"});
  EXPECT_EQ(copies(both, "/elsewhere/a.pt"), (Names{"s3://b/ckpt", "s3://b/logs"}));
  EXPECT_EQ(copies(both, ""), (Names{"s3://b/ckpt", "s3://b/logs"}));
  EXPECT_EQ(copies("aws s3 sync /work s3://b/w\n" + both, "/work/x/a.pt"), Names{"s3://b/w"});
  EXPECT_EQ(copies("aws s3 cp /c/a.log s3://b/l/\naws s3 cp \"/c/$f\" s3://b/c/$ID/x\n", "/c/a.pt"),
            Names{"s3://b/c"});
  EXPECT_EQ(copies("aws s3 sync /c $TO\naws s3 cp log s3://b/l/\n", "/c/a.pt"), Names{""});
  EXPECT_EQ(copies("aws s3 sync /c s3://b-$ID/c\n", "/c/a.pt"), Names{""});
  EXPECT_EQ(copies("aws s3 cp /c/a.pt s3://b\n", "/c/a.pt"), Names{"s3://b"});
}

TEST(ScriptFacts, ACommandMayContinueOnTheNextLine) {
  EXPECT_EQ(copies_of("/c/a.pt", facts("aws s3 sync /c \\\n  --quiet \\\n  s3://b/c\n")),
            Names{"s3://b/c"});
}

}  // namespace
}  // namespace sim::cli
