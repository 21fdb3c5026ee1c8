// For tests: trainings that something happens to, each in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "trainer/checkpoint/store.h"
#include "trainer/program_under_test.h"
#include "trainer/test_folder.h"

namespace spottrain {

inline constexpr std::int64_t kEpochs = 4, kStepsPerEpoch = 5, kSteps = kEpochs * kStepsPerEpoch;

class Survival : public testing::Test {
 protected:
  Survival() {
    EXPECT_EQ(
        run({"synthesize", (folder_ / "data").string(), "--train", "80", "--test", "20"}).status,
        0);
  }
  Arguments train(const std::string& name, const Arguments& more = {}) const {
    Arguments words{"train",
                    "--data",
                    (folder_ / "data").string(),
                    "--checkpoints",
                    (folder_ / name).string(),
                    "--batch",
                    "16",
                    "--epochs",
                    std::to_string(kEpochs)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Continues the training in `interrupted` to its end, and compares with one never interrupted.
  void expect_same_end(const std::string& interrupted) {
    const Outcome end = run(train(interrupted));
    EXPECT_EQ(end.status, 0) << end.errors;
    ASSERT_EQ(run(train("straight")).status, 0);
    for (const std::string& file : {checkpoint_name(kSteps), std::string("train.csv")}) {
      EXPECT_TRUE(file_content(folder_ / interrupted / file) ==
                  file_content(folder_ / "straight" / file))
          << file << " differs";
    }
  }

  TestFolder folder_;
};

}  // namespace spottrain
