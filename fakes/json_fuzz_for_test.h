// For tests: sends damaged requests to a service of AWS's JSON protocol.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "api/fuzz/fuzz.h"
#include "fakes/json_for_test.h"

namespace fakes {

struct JsonFuzz {
  std::string service;  // name in the signature
  std::string target;   // before the action: "Logs_20140328."
  std::span<const std::pair<const char*, const char*>> seeds;  // actions and bodies
  std::function<void(TestJson&)> prepare;                      // of a new world
  sim::Duration pause;                                         // after each tenth request
  std::set<int> allowed = {200, 400};                          // statuses
};

// Each answer must have an allowed status, and be in JSON. Successes and refusals must occur often
// enough.
inline void fuzz_json(const JsonFuzz& fuzz) {
  std::mt19937 random(5);
  std::unique_ptr<TestJson> t;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    if (round % 200 == 0) {
      t = std::make_unique<TestJson>();
      fuzz.prepare(*t);
    }
    const auto& [action, seed] = fuzz.seeds[random() % fuzz.seeds.size()];
    std::string target = fuzz.target + action, body = seed;
    const unsigned what = random() % 8;
    if (what == 0) target = api::damaged(target, random);
    if (target.empty()) target = "?";  // without a target SQS is asked in another protocol
    if (what > 2) body = api::damaged(body, random);
    const auto answer = t->ask(TestJson::request(fuzz.service, target, body));
    ASSERT_TRUE(fuzz.allowed.contains(answer.status)) << target << "\n"
                                                      << body << "\n"
                                                      << answer.body;
    ASSERT_FALSE(answer.body.is_discarded() && answer.status != 200) << target << "\n" << body;
    ++(answer.status < 400 ? done : refused);
    if (round % 10 == 0) t->run(fuzz.pause);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 10);
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace fakes
