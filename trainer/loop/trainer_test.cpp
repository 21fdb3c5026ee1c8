#include "trainer/loop/trainer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/files/folder_for_test.h"
#include "trainer/checkpoint/codec.h"
#include "trainer/cpu/engine.h"
#include "trainer/data/shapes.h"

namespace spottrain {
namespace {

const DataSet& small_set() {
  static const DataSet data = [] {
    const base::FolderForTest folder;
    write_shapes(folder.path(), 75, 40, 1);
    return read_data_set(folder.path());
  }();
  return data;
}

// A model with each kind of layer that has its own state or random numbers.
std::string model_file() {
  static const base::FolderForTest folder;
  const std::string file = (folder / "tiny.model").string();
  base::write_content(
      file,
      "conv 4 stride=4\nbatch-norm\nrelu\n"
      "residual\n  conv 8 stride=2\n  batch-norm\nshortcut\n  subsample-pad 8\nend\n"
      "relu\nglobal-average-pool\ndropout 0.3\ndense classes\n");
  return file;
}

Settings settings(std::int64_t batch_size = 20) {
  return {.seed = 5,
          .epochs = 3,
          .batch_size = batch_size,
          .learning_rate = 0.01,
          .schedule = "step:1:0.5"};
}

struct Case {
  const char* name;
  Settings settings;
};
std::vector<Case> cases() {
  Settings tiny = settings();
  tiny.model = model_file();
  tiny.augmentation = "crop:4,flip";
  tiny.schedule = "warm-up:1,cosine";
  std::vector<Case> all{{"cnn-8-16", settings()}};
  for (const auto& [name, kind] : {std::pair("sgd", Optimizer::Kind::sgd),
                                   {"nesterov", Optimizer::Kind::nesterov},
                                   {"adam", Optimizer::Kind::adam},
                                   {"adamw", Optimizer::Kind::adamw}}) {
    tiny.optimizer.kind = kind;
    all.push_back({name, tiny});
  }
  return all;
}

Trainer trained(const Settings& settings, int steps, int threads = 1) {
  Trainer trainer(small_set(), settings, threads, make_cpu_engine);
  for (int i = 0; i < steps; ++i) trainer.train_step();
  return trainer;
}

Checkpoint snapshot(const Trainer& trainer) {
  Checkpoint checkpoint;
  trainer.snapshot(checkpoint);
  return checkpoint;
}

TEST(Trainer, TheLastBatchOfAnEpochHasTheRemainingImages) {
  Trainer trainer = trained(settings(), 0);
  EXPECT_EQ(trainer.steps_per_epoch(), 4);  // 20 + 20 + 20 + 15
  for (int i = 0; i < 4; ++i) trainer.train_step();
  EXPECT_EQ(trainer.epoch_sums().images, 75);
}

TEST(Trainer, StoppedAndResumedAtAnyStepEqualsNeverStoppedOnAnyNumberOfThreads) {
  constexpr int kSteps = 7;
  for (const auto& [name, settings] : cases()) {
    const std::string straight = encode(snapshot(trained(settings, kSteps)));
    for (int k = 0; k <= kSteps; ++k) {
      const std::string saved = encode(snapshot(trained(settings, k, 1 + k % 3)));
      Trainer resumed = trained(settings, 0, 1 + (k + 1) % 3);
      resumed.restore(decode(saved));
      while (resumed.step() < kSteps) resumed.train_step();
      EXPECT_TRUE(encode(snapshot(resumed)) == straight) << name << " stopped after " << k;
    }
  }
}

TEST(Trainer, ASnapshotReusesItsMemory) {
  Checkpoint checkpoint = snapshot(trained(settings(), 1));
  const float* values = checkpoint.values.data();
  const Trainer trainer = trained(settings(), 3);
  trainer.snapshot(checkpoint);
  EXPECT_EQ(checkpoint.values.data(), values);
  EXPECT_EQ(checkpoint, snapshot(trainer));
}

std::string error_of_restoring(const Checkpoint& checkpoint, const Settings& settings) {
  Trainer trainer = trained(settings, 0);
  try {
    trainer.restore(checkpoint);
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(trainer.step(), 0);
    return error.what();
  }
  return "continued";
}

TEST(Trainer, AnotherConfigurationIsNotContinued) {
  const Checkpoint checkpoint = snapshot(trained(settings(), 2));
  Settings other = settings(25);
  other.seed = 6;
  EXPECT_EQ(error_of_restoring(checkpoint, other),
            "it is of another training: seed 5, now 6; batch_size 20, now 25");
  other = settings();
  other.augmentation = "flip";
  EXPECT_EQ(error_of_restoring(checkpoint, other),
            "it is of another training: augmentation none, now flip");
  other = settings();
  other.epochs = 9;
  EXPECT_EQ(error_of_restoring(checkpoint, other), "continued");
}

TEST(Trainer, IfTheScheduleStretchesTheNumberOfEpochsIsPartOfTheConfiguration) {
  Settings cosine = settings();
  cosine.schedule = "cosine";
  const Checkpoint checkpoint = snapshot(trained(cosine, 2));
  cosine.epochs = 9;
  EXPECT_EQ(error_of_restoring(checkpoint, cosine), "it is of another training: epochs 3, now 9");
}

TEST(Trainer, AChangedModelFileIsNotContinued) {
  Settings tiny = settings();
  tiny.model = model_file();
  const Checkpoint checkpoint = snapshot(trained(tiny, 1));
  const std::string text = base::file_content(tiny.model);
  base::write_content(tiny.model, "conv 4 stride=4\nrelu\nglobal-average-pool\ndense classes\n");
  EXPECT_NE(error_of_restoring(checkpoint, tiny).find("model_fingerprint"), std::string::npos);
  base::write_content(tiny.model, text + "# a comment changes nothing\n");
  EXPECT_EQ(error_of_restoring(checkpoint, tiny), "continued");
  base::write_content(tiny.model, text);
}

TEST(Trainer, TensorsOfAnotherModelAreRejected) {
  Checkpoint checkpoint = snapshot(trained(settings(), 2));
  checkpoint.tensors.pop_back();
  EXPECT_NE(
      error_of_restoring(checkpoint, settings()).find("its tensors are not those of cnn-8-16"),
      std::string::npos);
}

TEST(Trainer, TheRateFollowsTheSchedule) {
  Settings cosine = settings();
  cosine.schedule = "cosine";
  const Trainer trainer = trained(cosine, 0);
  EXPECT_EQ(trainer.total_steps(), 12);
  EXPECT_DOUBLE_EQ(trainer.learning_rate(0), 0.01);
  EXPECT_DOUBLE_EQ(trainer.learning_rate(6), 0.005);
}

TEST(Trainer, AccuracyOfNoImagesIsUnknown) {
  Trainer trainer = trained(settings(), 0);
  EXPECT_FALSE(trainer.accuracy(small_set().validation));
  EXPECT_TRUE(trainer.accuracy(small_set().test));
}

// The result that docs/checkpoints.md states for the default model and the generated set.
TEST(Trainer, LearnsTheGeneratedSetFarAboveChance) {
  const base::FolderForTest folder;
  write_shapes(folder.path(), 4000, 1000, 1);
  const DataSet data = read_data_set(folder.path());
  Settings constant = settings(32);
  constant.schedule = "constant";
  Trainer trainer(data, constant, 1, make_cpu_engine);
  double first_loss = 0, last_loss = 0;
  for (int epoch = 0; epoch < 10; ++epoch, trainer.start_epoch()) {
    for (int i = 0; i < trainer.steps_per_epoch(); ++i) trainer.train_step();
    last_loss = trainer.epoch_sums().loss / 4000;
    if (epoch == 0) first_loss = last_loss;
  }
  EXPECT_LT(last_loss, 0.85 * first_loss);
  EXPECT_GT(*trainer.accuracy(data.test), 0.27);  // chance is 0.10
}

}  // namespace
}  // namespace spottrain
