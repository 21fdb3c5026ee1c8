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

Settings settings(std::int64_t batch_size = 20) {
  return {.model = std::string(kSmallCnn),
          .seed = 5,
          .batch_size = batch_size,
          .learning_rate = 0.01,
          .momentum = 0.9,
          .weight_decay = 5e-4,
          .schedule = "step:1:0.5"};
}

Trainer trained(int steps, int threads = 1) {
  Trainer trainer(small_set(), settings(), threads);
  for (int i = 0; i < steps; ++i) trainer.train_step();
  return trainer;
}

Checkpoint snapshot(const Trainer& trainer) {
  Checkpoint checkpoint;
  trainer.snapshot(checkpoint);
  return checkpoint;
}

TEST(Trainer, TheLastBatchOfAnEpochHoldsWhatIsLeft) {
  Trainer trainer = trained(0);
  EXPECT_EQ(trainer.steps_per_epoch(), 4);  // 20 + 20 + 20 + 15
  for (int i = 0; i < 4; ++i) trainer.train_step();
  EXPECT_EQ(trainer.epoch_sums().images, 75);
}

TEST(Trainer, StoppedAndResumedAtAnyStepEqualsNeverStopped) {
  constexpr int kSteps = 10;
  const std::string straight = encode(snapshot(trained(kSteps)));
  for (int k = 0; k <= kSteps; ++k) {
    const std::string saved = encode(snapshot(trained(k)));
    Trainer resumed = trained(0);
    resumed.restore(decode(saved));
    while (resumed.step() < kSteps) resumed.train_step();
    EXPECT_EQ(encode(snapshot(resumed)), straight) << "stopped after " << k;
  }
}

TEST(Trainer, ASnapshotUsesItsMemoryAgain) {
  Checkpoint checkpoint = snapshot(trained(1));
  const float* values = checkpoint.values.data();
  const Trainer trainer = trained(3);
  trainer.snapshot(checkpoint);
  EXPECT_EQ(checkpoint.values.data(), values);
  EXPECT_EQ(checkpoint, snapshot(trainer));
}

TEST(Trainer, AnyNumberOfThreadsGivesTheSameBits) {
  const std::string one = encode(snapshot(trained(6, 1)));
  EXPECT_EQ(encode(snapshot(trained(6, 2))), one);
  EXPECT_EQ(encode(snapshot(trained(6, 5))), one);
}

TEST(Trainer, AnotherConfigurationIsNotContinued) {
  const Checkpoint checkpoint = snapshot(trained(2));
  Settings other = settings(25);
  other.seed = 6;
  Trainer trainer(small_set(), other, 1);
  try {
    trainer.restore(checkpoint);
    FAIL() << "continued";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "it is of another training: seed 5, now 6; batch_size 20, now 25");
  }
  EXPECT_EQ(trainer.step(), 0);
}

TEST(Trainer, TensorsThatAreNotTheModelsAreRejected) {
  Checkpoint checkpoint = snapshot(trained(2));
  checkpoint.tensors.pop_back();
  Trainer trainer = trained(0);
  EXPECT_THROW(trainer.restore(checkpoint), std::invalid_argument);
}

// The claim of docs/checkpoints.md about what the generated set is good for.
TEST(Trainer, LearnsTheGeneratedSetFarAboveChance) {
  const TestFolder folder;
  write_shapes(folder.path(), 4000, 1000, 1);
  const DataSet data = read_data_set(folder.path());
  Settings constant = settings(32);
  constant.schedule = "constant";
  Trainer trainer(data, constant, 1);
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
