// For tests: trainings that are disturbed, each in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/files/folder_for_test.h"
#include "trainer/checkpoint/store.h"
#include "trainer/program_for_test.h"

namespace spottrain {

inline constexpr std::int64_t kEpochs = 4, kStepsPerEpoch = 5, kSteps = kEpochs * kStepsPerEpoch;

// A model with all kinds of state and random numbers: batch norms, dropout, augmentation and (by
// default) momentum. Its checkpoint has 36 KB.
inline void write_inputs(const base::FolderForTest& folder) {
  EXPECT_EQ(run({"synthesize", (folder / "data").string(), "--train", "80", "--test", "20"}).status,
            0);
  base::write_content(folder / "survivor.model",
                      "conv 8 stride=2\nbatch-norm\nrelu\nmax-pool\nconv 16\nbatch-norm\nrelu\n"
                      "max-pool\ndropout 0.3\ndense classes\n");
}

inline Arguments training(const base::FolderForTest& folder,
                          const std::filesystem::path& checkpoints, std::int64_t epochs) {
  return {"train",
          "--data",
          (folder / "data").string(),
          "--model",
          (folder / "survivor.model").string(),
          "--augment",
          "crop:4,flip",
          "--checkpoints",
          checkpoints.string(),
          "--batch",
          "16",
          "--epochs",
          std::to_string(epochs)};
}

class Survival : public testing::Test {
 protected:
  Survival() { write_inputs(folder_); }
  Arguments train(const std::string& name, const Arguments& more = {}) const {
    Arguments words = training(folder_, folder_ / name, kEpochs);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Continues the training in `interrupted` to its end, and compares with one never interrupted.
  void expect_same_end(const std::string& interrupted) {
    const Outcome end = run(train(interrupted));
    EXPECT_EQ(end.status, 0) << end.errors;
    ASSERT_EQ(run(train("straight")).status, 0);
    for (const std::string& file : {checkpoint_name(kSteps), std::string("train.csv")}) {
      EXPECT_TRUE(base::file_content(folder_ / interrupted / file) ==
                  base::file_content(folder_ / "straight" / file))
          << file << " differs";
    }
  }

  base::FolderForTest folder_;
};

}  // namespace spottrain
