// Repeats the first epochs of the first row in docs/notes/learning.md, which are the same on every
// machine with FMA.
#include "trainer/data/shapes.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/files/folder_for_test.h"
#include "base/long_for_test.h"
#include "trainer/cpu/engine.h"
#include "trainer/data/data_set.h"
#include "trainer/loop/trainer.h"

namespace spottrain {
namespace {

TEST(Shapes, ResNet20HasTheDocumentedAccuracyAfterEachEpoch) {
  ONLY_AMONG_LONG_TESTS();
  const base::FolderForTest folder;
  write_shapes(folder.path(), 10'000, 2'000, 1);
  const DataSet data = read_data_set(folder.path());
  Trainer trainer(data,
                  {.model = "resnet20",
                   .epochs = 10,
                   .batch_size = 128,
                   .learning_rate = 0.05,
                   .schedule = "cosine"},
                  2, make_cpu_engine);
  if (trainer.numeric_class() != "float32 fma") GTEST_SKIP() << "this processor has no FMA";
  const std::vector percents{22.9, 26.2, 34.1};
  for (const double percent : percents) {
    for (int i = 0; i < trainer.steps_per_epoch(); ++i) trainer.train_step();
    EXPECT_NEAR(100 * trainer.accuracy(data.test).value(), percent, 0.0501);
    trainer.start_epoch();
  }
}

}  // namespace
}  // namespace spottrain
