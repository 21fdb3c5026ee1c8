// Fuzz targets: functions that must accept any bytes. CTest tries each with mutations of its seeds
// (fuzz_test.cpp). clang's libFuzzer searches further by coverage (libfuzzer.cpp).
#pragma once

#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace api {

// The result of a target for one input.
enum class Fuzzed { kRead, kRefused, kStrayed };

struct FuzzTarget {
  std::string_view name;
  // Valid inputs, or nearly valid ones.
  std::vector<std::string> (*seeds)();
  // Throws std::logic_error if a property is violated. One property is that a value that was read
  // can be written and read again.
  Fuzzed (*run)(std::string_view input);
};

// The targets of the program that links this library.
std::span<const FuzzTarget> fuzz_targets();
// Returns null if there is no such target.
const FuzzTarget* find_fuzz_target(std::string_view name);

// Makes up to three small changes, often none.
std::string damaged(std::string text, std::mt19937& random);

// How often each result occurred.
struct FuzzCounts {
  int read = 0, refused = 0, strayed = 0;
};
// The number of inputs per test: 20,000, in the long tests 100,000, or SPOTSIM_FUZZ_ROUNDS.
int fuzz_rounds();
// Runs this many inputs made from the seeds; the same in each run.
FuzzCounts fuzz(const FuzzTarget& target, int rounds);

// Throws std::logic_error with `what` if `holds` is false.
void fuzz_must(bool holds, const char* what);

}  // namespace api
