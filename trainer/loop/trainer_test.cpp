#include "trainer/loop/trainer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "trainer/checkpoint/codec.h"
#include "trainer/data/shapes.h"
#include "trainer/test_folder.h"

namespace spottrain {
namespace {

const DataSet& small_set() {
  static const DataSet data = [] {
    const TestFolder folder;
    write_shapes(folder.path(), 75, 40, 1);
    return read_data_set(folder.path());
  }();
  return data;
}

Configuration configuration(const DataSet& data, std::int64_t batch_size = 20) {
  return {.model = std::string(kSmallCnn),
          .seed = 5,
          .batch_size = batch_size,
          .learning_rate = 0.01,
          .momentum = 0.9,
          .weight_decay = 5e-4,
          .schedule = "step:1:0.5",
          .data_fingerprint = data.fingerprint};
}

Trainer trained(int steps, int threads = 1) {
  Trainer trainer(small_set(), configuration(small_set()), threads);
  for (int i = 0; i < steps; ++i) trainer.train_step();
  return trainer;
}

TEST(Trainer, TheLastBatchOfAnEpochHoldsWhatIsLeft) {
  Trainer trainer = trained(0);
  EXPECT_EQ(trainer.steps_per_epoch(), 4);  // 20 + 20 + 20 + 15
  for (int i = 0; i < 4; ++i) trainer.train_step();
  EXPECT_EQ(trainer.epoch_sums().images, 75);
}

TEST(Trainer, StoppedAndResumedAtAnyStepEqualsNeverStopped) {
  constexpr int kSteps = 10;
  const std::string straight = encode(trained(kSteps).snapshot());
  for (int k = 0; k <= kSteps; ++k) {
    const std::string saved = encode(trained(k).snapshot());
    Trainer resumed = trained(0);
    resumed.restore(decode(saved));
    while (resumed.step() < kSteps) resumed.train_step();
    EXPECT_EQ(encode(resumed.snapshot()), straight) << "stopped after " << k;
  }
}

TEST(Trainer, AnyNumberOfThreadsGivesTheSameBits) {
  const std::string one = encode(trained(6, 1).snapshot());
  EXPECT_EQ(encode(trained(6, 2).snapshot()), one);
  EXPECT_EQ(encode(trained(6, 5).snapshot()), one);
}

TEST(Trainer, AnotherConfigurationIsNotContinued) {
  const Checkpoint checkpoint = trained(2).snapshot();
  Configuration other = configuration(small_set(), 25);
  other.seed = 6;
  Trainer trainer(small_set(), other, 1);
  try {
    trainer.restore(checkpoint);
    FAIL() << "continued";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "it is of another training: seed 5, now 6; batch size 20, now 25");
  }
  EXPECT_EQ(trainer.step(), 0);
}

TEST(Trainer, TensorsThatAreNotTheModelsAreRejected) {
  Checkpoint checkpoint = trained(2).snapshot();
  checkpoint.tensors.pop_back();
  Trainer trainer = trained(0);
  EXPECT_THROW(trainer.restore(checkpoint), std::invalid_argument);
}

// The claim of docs/checkpoints.md about what the generated set is good for.
TEST(Trainer, LearnsTheGeneratedSetFarAboveChance) {
  const TestFolder folder;
  write_shapes(folder.path(), 4000, 1000, 1);
  const DataSet data = read_data_set(folder.path());
  Configuration settings = configuration(data, 32);
  settings.schedule = "constant";
  Trainer trainer(data, settings, 1);
  double first_loss = 0, last_loss = 0;
  for (int epoch = 0; epoch < 10; ++epoch, trainer.start_epoch()) {
    for (int i = 0; i < trainer.steps_per_epoch(); ++i) trainer.train_step();
    last_loss = trainer.epoch_sums().loss / 4000;
    if (epoch == 0) first_loss = last_loss;
  }
  EXPECT_LT(last_loss, 0.85 * first_loss);
  EXPECT_GT(trainer.test_accuracy(), 0.27);  // chance is 0.10
}

}  // namespace
}  // namespace spottrain
