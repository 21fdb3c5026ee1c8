#include "sim/run/script_commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sim::run {
namespace {

std::string called(const std::string& script) {
  std::string out;
  for (const ScriptCommand& command : commands_of(script))
    out += (out.empty() ? "" : " ") + command.word;
  return out;
}

TEST(ScriptCommands, AreTheFirstWordsOfSimpleCommands) {
  EXPECT_EQ(called("ls -l; mkdir x && mount y /z || umount z | grep q & wait\n! blkid /dev/xvdf\n"),
            "ls mkdir mount umount grep blkid");
  EXPECT_EQ(called("A=1 B=$(date) env C=2 python3 x >log 2>&1 <in\n2>/dev/null rm x\n"),
            "date env python3 rm");
  EXPECT_EQ(called("(cd /x; touch y); { seq 3; }; `whoami`; \"$EDITOR\" x; ./own; $x y"),
            "touch seq ./own");
  EXPECT_EQ(called("/usr/local/bin/tool 'a b' \\\n  --flag # and a comment: nothing\n"),
            "/usr/local/bin/tool");
}

TEST(ScriptCommands, StandBehindSudoAndItsKin) {
  EXPECT_EQ(called("sudo -H -u ubuntu git clone x; nohup env A=b python3 y; exec poweroff"),
            "sudo git nohup env python3 poweroff");
}

TEST(ScriptCommands, StandBehindTimeAndItsOptions) {
  EXPECT_EQ(called("time ls; time -p sync; time -p -- sudo blkid\n"), "ls sync sudo blkid");
}

TEST(ScriptCommands, AreFoundInControlStructures) {
  EXPECT_EQ(
      called("if lsblk; then sync; elif cmp a b; then :; else tr a b; fi\n"
             "for f in $(find .) b; do stat $f; done; while read -r x; do bc; done <<< \"$(nl)\"\n"
             "for ((i = 0; i < 3; ++i)); do seq $i; done\n"
             "until [[ -e /x && $y == z ]]; do sleep 1; done; (( a > 1 )) && dd\n"),
      "lsblk sync cmp tr find stat bc nl seq sleep dd");
  EXPECT_EQ(called("case $1 in\n  start|'stop)') id ;;\n  *) case x in y) tty;; esac; nproc "
                   ";;\nesac\nuptime\n"),
            "id tty nproc uptime");
}

TEST(ScriptCommands, FunctionsArraysAndHereDocumentsAreNone) {
  EXPECT_EQ(
      called(
          "report() { logger x; }\nfunction other { df; }\nreport; other; later\nlater() { :; }\n"
          "words=(one two three); words+=(four)\n"
          "cat <<END >file\nnot a command\nEND\ncat <<-'X'\n\tnor this\n\tX\nfree\n"),
      "logger df cat cat free");
}

TEST(ScriptCommands, EndWhereProgramsMayCome) {
  EXPECT_EQ(called("git x; source ~/anaconda3/bin/activate keras && python train.py"), "git");
  EXPECT_EQ(called("sudo apt-get install -y jq; jq ."), "sudo apt-get");
  EXPECT_EQ(called("export PATH=/opt/tools:$PATH; mine"), "");
  EXPECT_EQ(called("curl -o /usr/local/bin/jq https://x; jq"), "curl");
  EXPECT_EQ(called("curl https://x | bash; tool"), "curl bash");
}

TEST(ScriptCommands, WhatAScriptAsksForItCanDoWithout) {
  EXPECT_EQ(called("if command -v nvidia-smi; then nvidia-smi; fi; which jq && jq; ls"),
            "which ls");
  EXPECT_EQ(called("[ -x /opt/tool ] && /opt/tool; [[ -x /opt/b ]] && /opt/b; ls"), "ls");
}

TEST(ScriptCommands, HaveTheirLines) {
  const auto commands = commands_of("#!/bin/bash\n\nls\ncat <<X\na\nX\ndate\n");
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[0].line, 3);
  EXPECT_EQ(commands[2].line, 7);
}

TEST(ScriptCommands, OfADeepNestAreThoseBeforeIt) {
  std::string nest, redirections = "cat ";
  for (int i = 0; i < 100'000; ++i) nest += "$(", redirections += "<(";
  EXPECT_EQ(called("ls; " + nest + "date"), "ls");
  EXPECT_EQ(called(redirections + "date"), "cat");
  EXPECT_EQ(called("ls $(stat $(find \"$(nl)\")); date"), "ls stat find nl date");
}

TEST(ScriptCommands, OfManyLinesAreReadOnce) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "sync\n";
  EXPECT_EQ(commands_of(text).back().line, 200'000);
}

TEST(ScriptCommands, AnyTextEnds) {
  const std::string pieces[] = {"$(",         "`",     "\"",  "'",   "((", "${",
                                "case x in ", "<<E\n", "[[ ", "a=(", "\\", "for "};
  for (const auto& one : pieces)
    for (const auto& other : pieces) commands_of("ls " + one + other);
}

}  // namespace
}  // namespace sim::run
