#include "sim/explore/shell_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace sim::explore {
namespace {

std::string commands(std::string_view line) {
  std::string text;
  for (const ShellCommand& command : shell_commands(line))
    text += fmt::format("{}{}; ", command.in_subshell ? "sub " : "", fmt::join(command.words, "|"));
  return text;
}

TEST(ShellLines, ALineHasCommandsAndTheirWords) {
  EXPECT_EQ(commands("mkdir -p /a && cd /a"), "mkdir|-p|/a; cd|/a; ");
  EXPECT_EQ(commands("(cd /tmp && tar x) || echo \"no; tar\" # cd /b"),
            "sub cd|/tmp; sub tar|x; echo|no; tar; ");
  EXPECT_EQ(commands("run >log 2>&1 <in a 3 & wait"), "run|a|3; wait; ");
  EXPECT_EQ(commands("x=$(date; ls) a$(b c)d e\\ f ''"), "x=$(date; ls)|a$(b c)d|e f|; ");
}

TEST(ShellLines, UnfinishedLinesAreReadToTheirEnd) {
  for (const char* const line : {"a \"b", "a 'b", "a $(b", "a )) b", "a \\", "a >", "(((", "\"a\\"})
    shell_commands(line);
  EXPECT_EQ(commands("it's a"), "its a; ");
}

std::string copies(std::string_view line) {
  std::string text;
  for (const S3Copy& copy : s3_copies(line))
    text += fmt::format("{} to {}{}; ", copy.from, copy.to, copy.one_file ? "" : " all");
  return text;
}

TEST(ShellLines, ValuesOfOptionsAreNoPaths) {
  EXPECT_EQ(copies("aws s3 cp --region us-west-2 s3://b/x ."), "s3://b/x to .; ");
  EXPECT_EQ(copies("aws s3 --profile me sync --delete --exclude '*.tmp files' ck \"s3://b/ck\""),
            "ck to s3://b/ck all; ");
  EXPECT_EQ(copies("aws s3 cp a s3://b/a --sse aws:kms --storage-class=STANDARD_IA --recursive"),
            "a to s3://b/a all; ");
  EXPECT_EQ(copies("aws s3 ls s3://b/ x; aws s3 mb s3://b"), "");
}

TEST(ShellLines, CopiesMayBeInQuotesAndBesideOthers) {
  EXPECT_EQ(
      copies("bash -c \"aws s3 sync \\\"$a\\\" s3://b; exit\" && aws s3 mv c s3://d/e >/dev/null"),
      "$a to s3://b all; c to s3://d/e; ");
  EXPECT_EQ(copies("os.system('aws s3 cp a s3://b/a')"), "a to s3://b/a; ");
  EXPECT_EQ(copies("x=$(aws s3 cp s3://b/x - | wc -l)"), "s3://b/x to -; ");
}

}  // namespace
}  // namespace sim::explore
