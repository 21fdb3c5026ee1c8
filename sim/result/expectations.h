// The `expect:` block of a scenario: which figures it states, and whether a result meets them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/result/result.h"

namespace sim::result {

// Closed bounds; a missing one is open. Durations are in seconds.
struct Bounds {
  std::optional<double> min, max;
};

// Expects a list to begin with these words.
struct FirstWords {
  std::vector<std::string> words;
};

// Expects a list to contain each of these words.
struct EachOf {
  std::vector<std::string> words;
};
// Expects each entry of the plan to have struck.
struct AllStruck {};

// One row of an `expect:` block.
struct Expectation {
  std::string key;   // "attempts"
  std::string text;  // "attempts: 2", as results print it
  std::variant<Bounds, std::vector<std::string>, FirstWords, EachOf, bool, AllStruck> wanted;
};

// The figures that can be expected, and their units.
enum class ExpectedKind {
  kCount,
  kRatio,
  kUsd,
  kDuration,
  kWord,
  kWords,
  kFlag,
  kInvariants,
  kStruck
};
struct ExpectedKey {
  std::string_view key;
  ExpectedKind kind;
};
// In the order of docs/scenario.md.
std::vector<ExpectedKey> expected_keys();

// The verdict on each expectation, in their order. Two expectations exist by default and have a
// verdict only if they fail. Without a stated outcome, the run must not fail. Without `struck`,
// each entry of the plan that names an instance by its number must strike.
std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Result& result);
// Marks broken invariants whose breach the scenario expects, as excused. The scenario expects a
// breach if it names the invariant (`broken_invariants`), or if it states all figures of the breach
// (Verdict::about). Expectations that a good run meets (`outcome: completed`, `tagged_volumes: 1`)
// excuse nothing.
void excuse(const std::vector<Expectation>& expectations, Result& result);
// True if all expectations hold, and all invariants except excused ones.
bool as_expected(const Result& result);

}  // namespace sim::result
