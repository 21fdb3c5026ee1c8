// For tests: sends damaged requests to a service of AWS's query protocol.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>

#include "api/fuzz/fuzz.h"
#include "fakes/backend_for_test.h"

namespace fakes {

struct FormFuzz {
  std::string service;                        // name in the signature
  std::string version;                        // "2011-06-15"
  std::span<const char* const> seeds;         // "GetQueueUrl&QueueName=q"
  std::function<void(TestBackend&)> prepare;  // of a new world
  sim::Duration pause;                        // after each tenth request
  std::set<int> allowed = {200, 400, 403, 404};
};

// Each answer must have an allowed status, and be in XML. Successes and refusals must occur often
// enough.
inline void fuzz_forms(const FormFuzz& fuzz) {
  const std::string signature = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/" +
                                fuzz.service + "/aws4_request, SignedHeaders=host, Signature=00";
  std::mt19937 random(11);
  std::unique_ptr<TestBackend> t;
  int done = 0, refused = 0;
  for (int round = 0; round < api::fuzz_rounds(); ++round) {
    if (round % 200 == 0) {
      t = std::make_unique<TestBackend>();
      fuzz.prepare(*t);
    }
    const std::string seed =
        "Version=" + fuzz.version + "&Action=" + fuzz.seeds[random() % fuzz.seeds.size()];
    const std::string form = random() % 4 == 0 ? seed : api::damaged(seed, random);
    const Answer answer = t->send(TestBackend::post(form, signature.c_str()));
    ASSERT_TRUE(fuzz.allowed.contains(answer.status())) << form << "\n" << answer.body();
    ASSERT_TRUE(answer.xml.document_element()) << form << "\n" << answer.body();
    ++(answer.status() < 400 ? done : refused);
    if (round % 10 == 0) t->run(fuzz.pause);
  }
  EXPECT_GT(done, api::fuzz_rounds() / 10);
  EXPECT_GT(refused, api::fuzz_rounds() / 10);
}

}  // namespace fakes
