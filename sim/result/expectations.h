// What a scenario expects of its result.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/result/result.h"

namespace sim::run {

// Closed bounds; a missing one is open. Durations are in seconds.
struct Bounds {
  std::optional<double> min, max;
};

// How a list begins.
struct FirstWords {
  std::vector<std::string> words;
};

// One row of an `expect:` block.
struct Expectation {
  std::string key;   // "attempts"
  std::string text;  // "attempts: 2", as a result shows it
  std::variant<Bounds, std::vector<std::string>, FirstWords, bool> wanted;
};

// What can be expected, and what it is said in.
enum class ExpectedKind { kCount, kRatio, kUsd, kDuration, kWord, kWords, kFlag };
struct ExpectedKey {
  std::string_view key;
  ExpectedKind kind;
};
// In the order of docs/scenario.md.
std::vector<ExpectedKey> expected_keys();

// Whether each holds, in their order. That a run does not fail is expected unless they state an
// outcome: one that does has a verdict more.
std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Result& result);
// Excuses the broken invariants that are about a figure which the scenario expects itself: one may
// well be about a script that leaves two volumes behind. What is expected of a run in which nothing
// goes wrong (`outcome: completed`, `tagged_volumes: 1`) excuses nothing.
void excuse(const std::vector<Expectation>& expectations, std::vector<Verdict>& invariants);
// Whether all expectations hold, and all invariants but the excused ones.
bool as_expected(const Result& result);

}  // namespace sim::run
