// Real digits, on machines that have them: in data/ under the folder SPOTSIM_SHARED, else under
// ../shared beside the sources. The required accuracies are those of PyTorch 1.13 on the same data.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "trainer/cpu/engine.h"
#include "trainer/data/data_set.h"
#include "trainer/loop/trainer.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

class Digits : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("SPOTSIM_SHARED");
    data_ = (named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / ".." / "shared") / "data";
    if (!fs::is_directory(data_)) {
      GTEST_SKIP() << "no real digits: set SPOTSIM_SHARED to the folder that has data/";
    }
  }
  fs::path data_;
};

Trainer trained(const DataSet& data, const Settings& settings) {
  Trainer trainer(data, settings, 2, make_cpu_engine);
  while (trainer.step() < trainer.total_steps()) trainer.train_step();
  return trainer;
}

TEST_F(Digits, TheMnistCnnPassesInTwoEpochsWhatPyTorchReachesInSix) {
  DataSet data = read_data_set(data_ / "mnist-t10k");
  data = hold_out(std::move(data), 2000, 1);
  Trainer trainer = trained(data, {.model = "mnist-cnn",
                                   .epochs = 2,
                                   .batch_size = 128,
                                   .optimizer = {},
                                   .learning_rate = 0.05});
  EXPECT_GT(*trainer.accuracy(data.validation), 0.951);
}

TEST_F(Digits, TwoConvolutionsReachPyTorchsAccuracyOnOptdigits) {
  const DataSet data = read_data_set(data_ / "optdigits");
  Trainer trainer = trained(data, {.model = SPOTSIM_SOURCE_DIR "/bench/models/digits.model",
                                   .epochs = 15,
                                   .batch_size = 64,
                                   .learning_rate = 0.05,
                                   .schedule = "cosine"});
  EXPECT_GE(*trainer.accuracy(data.test), 0.978);
}

}  // namespace
}  // namespace spottrain
