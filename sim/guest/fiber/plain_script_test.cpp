#include "sim/guest/fiber/plain_script.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

using Words = std::vector<std::string>;

TEST(PlainScript, WordsQuotesAndCommentsAreBashs) {
  const auto commands = read_plain_script(
      "#!/bin/bash\n"
      "\n"
      "set -e  # a comment\n"
      "  spotrun prepare --job 'my job.json' \\\n"
      "    \"a \\\"b\\\" \\c\" x#y ''\n"
      "last\\ one");
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].words, (Words{"set", "-e"}));
  EXPECT_EQ(commands[0].line, 3);
  EXPECT_EQ(commands[1].words,
            (Words{"spotrun", "prepare", "--job", "my job.json", "a \"b\" \\c", "x#y", ""}));
  EXPECT_EQ(commands[1].line, 4);
  EXPECT_EQ(commands[2].words, Words{"last one"});
  EXPECT_EQ(commands[2].line, 6);
}

TEST(PlainScript, WhatNeedsAShellIsRefusedWithItsLine) {
  for (const char* text :
       {"a | b", "a && b", "a; b", "a > f", "a $HOME", "a \"$HOME\"", "a `b`", "a *.json", "X=1 a",
        "a 'b", "a \"b", "a \\", "(a)", "a ~", "a {b,c}", "! a"}) {
    const std::string script = std::string("ok\n\n") + text;
    try {
      read_plain_script(script);
      ADD_FAILURE() << text;
    } catch (const ScriptError& error) {
      EXPECT_EQ(error.line, 3) << text;
    }
  }
}

}  // namespace
}  // namespace sim::guest
