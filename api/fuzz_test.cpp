// Any bytes give a request, a response or a Refusal. A value that was read can be written and read
// again. The sanitizer build checks the memory.
#include "api/fuzz/fuzz.h"

#include <gtest/gtest.h>

namespace api {
namespace {

class ApiFuzz : public testing::TestWithParam<FuzzTarget> {};

TEST_P(ApiFuzz, BearsAnything) {
  const bool requests = GetParam().name.ends_with("-requests");
  const int rounds = requests ? fuzz_rounds() : fuzz_rounds() / 2;
  const FuzzCounts counts = fuzz(GetParam(), rounds);
  RecordProperty("read", counts.read);
  RecordProperty("refused", counts.refused);
  RecordProperty("strayed", counts.strayed);
  // Both results must be frequent: the seeds are valid, and the changes have an effect.
  EXPECT_GT(counts.read, rounds / 10);
  EXPECT_GT(counts.refused, rounds / 25);
}

INSTANTIATE_TEST_SUITE_P(Codecs, ApiFuzz, testing::ValuesIn(fuzz_targets()), [](const auto& test) {
  std::string name(test.param.name);
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace api
