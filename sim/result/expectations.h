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

// What a list has, among others.
struct EachOf {
  std::vector<std::string> words;
};
// Each entry of the plan has struck.
struct AllStruck {};

// One row of an `expect:` block.
struct Expectation {
  std::string key;   // "attempts"
  std::string text;  // "attempts: 2", as a result shows it
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

// Whether each holds, in their order. Unless they state an outcome, the run must not fail. Unless
// they state `struck`, each entry of the plan that names an instance by its number must strike.
// What is expected without being stated has a verdict only where it does not hold.
std::vector<Verdict> judge(const std::vector<Expectation>& expectations, const Result& result);
// Excuses the broken invariants whose breach the scenario expects: it names the invariant
// (`broken_invariants`), or it states all figures that the breach is about (Verdict::about).
// An expectation that a good run meets (`outcome: completed`, `tagged_volumes: 1`) excuses nothing.
void excuse(const std::vector<Expectation>& expectations, Result& result);
// Whether all expectations hold, and all invariants but the excused ones.
bool as_expected(const Result& result);

}  // namespace sim::run
