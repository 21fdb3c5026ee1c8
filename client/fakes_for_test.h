// For tests: a clock on which sleeping takes no time, an environment, and deterministic random
// bits.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "client/clock.h"
#include "client/environment.h"

namespace client::testing {

struct FakeClock : Clock {
  Time time{std::chrono::sys_days{std::chrono::year{2019} / 11 / 5}};
  std::vector<Duration> sleeps;
  Time now() override { return time; }
  void sleep(Duration duration) override {
    sleeps.push_back(duration);
    time += duration;
  }
};

// Variables that are set and unset in the map, which must outlive the environment.
using Variables = std::map<std::string, std::string>;
inline Environment environment_of(const Variables& variables) {
  return [&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}
inline const Variables kCredentials{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                    {"AWS_SECRET_ACCESS_KEY", "secret"}};

// Different numbers for every caller, the same in every run.
inline RandomBits numbered_bits() {
  static std::uint32_t seed = 0;
  return [engine = std::mt19937(++seed)]() mutable { return static_cast<std::uint32_t>(engine()); };
}

}  // namespace client::testing
