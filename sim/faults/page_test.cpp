// Compares docs/faults.md with the catalogue.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "sim/faults/kinds.h"

namespace sim::faults {
namespace {

std::string type_of(const Parameter& parameter) {
  switch (parameter.type) {
    case ArgumentType::kFlag:
      return "`true`, `false`";
    case ArgumentType::kWhole:
      return "whole number";
    case ArgumentType::kNumber:
      return "number";
    case ArgumentType::kDuration:
      return "duration";
    case ArgumentType::kText:
      return "text";
    case ArgumentType::kPool:
      return "pool";
    case ArgumentType::kZone:
      return "zone";
    case ArgumentType::kType:
      return "instance type";
    case ArgumentType::kAction:
      return "action";
    case ArgumentType::kMachine:
      return "number";
    case ArgumentType::kWord:
      break;
  }
  std::string words = "`";
  for (const char c : parameter.words) words += c == ' ' ? "`, `" : std::string(1, c);
  return words + '`';
}

std::string fallback_of(const Parameter& parameter) {
  if (parameter.required) return "required";
  return parameter.fallback.empty() ? "" : fmt::format("{}", parameter.fallback);
}

// A paragraph and a table for each kind.
std::string catalogue() {
  std::string text;
  for (const Kind* kind : kinds()) {
    text += fmt::format("**`{}`**: {}. A correct script {}.\n\n", kind->name, kind->does,
                        kind->remedy.text());
    if (kind->parameters.empty()) continue;
    text += "| parameter | type | default | meaning |\n|---|---|---|---|\n";
    for (const Parameter& parameter : kind->parameters)
      text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, type_of(parameter),
                          fallback_of(parameter), parameter.meaning);
    text += '\n';
  }
  return text;
}

TEST(FaultsPage, HasTheCatalogue) {
  std::ostringstream page;
  page << std::ifstream(SPOTSIM_SOURCE_DIR "/docs/faults.md").rdbuf();
  const std::string text = page.str(), begin = "## The catalogue\n\n";
  const auto from = text.find(begin), to = text.find("\n## ", from + begin.size());
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const std::string section = text.substr(from + begin.size(), to + 1 - from - begin.size());
  const auto table = section.find("**`");
  ASSERT_NE(table, std::string::npos);
  EXPECT_TRUE(section.substr(table) == catalogue()) << "expected:\n" << catalogue();
}

}  // namespace
}  // namespace sim::faults
