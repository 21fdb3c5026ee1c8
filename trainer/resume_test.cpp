// Changes between two processes of a training that must not change any bit of the result.
#include <algorithm>

#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/survival_for_test.h"

namespace spottrain {
namespace {

bool runs_here(std::string_view kernels) {
  const auto all = cpu::all_kernels();
  const auto found = std::ranges::find(all, kernels, [](const auto* set) { return set->name; });
  return found != all.end() && cpu::runs_here(**found);
}

class Resumed : public Survival {
 protected:
  // Trains some steps, or to the end if no number is given, in a separate process. The process uses
  // these kernels (or "eigen", the other engine) and this number of threads.
  int train_on(const std::string& name, const std::string& kernels, int threads,
               std::optional<int> steps = {}) const {
    Arguments more{"--threads", std::to_string(threads)};
    if (steps) more.insert(more.end(), {"--max-steps", std::to_string(*steps)});
    const bool eigen = kernels == "eigen";
    if (eigen) more.insert(more.end(), {"--engine", "eigen"});
    const Outcome outcome =
        eigen ? run(train(name, more)) : run(train(name, more), {{"SPOTTRAIN_KERNELS", kernels}});
    EXPECT_EQ(outcome.errors.find("not bit for bit"), std::string::npos) << outcome.errors;
    return outcome.status;
  }
  void expect_same(const std::string& one, const std::string& other) const {
    for (const std::string& file : {checkpoint_name(kSteps), std::string("train.csv")}) {
      const std::string content = base::file_content(folder_ / one / file);
      EXPECT_GT(content.size(), 100u);
      EXPECT_TRUE(content == base::file_content(folder_ / other / file)) << file << " differs";
    }
  }
};

TEST_F(Resumed, OnOneToThreeThreadsEqualsNeverStopped) {
  if (!runs_here("v3")) GTEST_SKIP() << "this processor has no AVX2 and FMA";
  ASSERT_EQ(train_on("straight", "v3", 1), 0);
  ASSERT_EQ(train_on("stopped", "v3", 2, 3), 75);
  ASSERT_EQ(train_on("stopped", "v3", 3, 5), 75);
  ASSERT_EQ(train_on("stopped", "v3", 1, 4), 75);
  ASSERT_EQ(train_on("stopped", "v3", 2), 0);
  expect_same("stopped", "straight");
}

TEST_F(Resumed, OnAvx2AndAvx512AndBackEqualsEitherNeverStopped) {
  if (!runs_here("v4")) GTEST_SKIP() << "this processor has no AVX-512";
  ASSERT_EQ(train_on("avx2", "v3", 1), 0);
  ASSERT_EQ(train_on("avx512", "v4", 3), 0);
  expect_same("avx512", "avx2");
  ASSERT_EQ(train_on("both", "v4", 1, 3), 75);
  ASSERT_EQ(train_on("both", "v3", 2, 5), 75);
  ASSERT_EQ(train_on("both", "v4", 3, 4), 75);
  ASSERT_EQ(train_on("both", "v3", 1), 0);
  expect_same("both", "avx2");
}

TEST_F(Resumed, OnAnotherEngineAndBackEqualsEitherNeverStopped) {
  ASSERT_EQ(train_on("eigen", "eigen", 2), 0);
  if (!runs_here("v3")) GTEST_SKIP() << "this processor has no AVX2 and FMA";
  ASSERT_EQ(train_on("fast", "v3", 1), 0);
  expect_same("fast", "eigen");
  ASSERT_EQ(train_on("both", "v3", 2, 7), 75);
  ASSERT_EQ(train_on("both", "eigen", 1, 6), 75);
  ASSERT_EQ(train_on("both", "v3", 1), 0);
  expect_same("both", "eigen");
}

}  // namespace
}  // namespace spottrain
