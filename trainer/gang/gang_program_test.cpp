// A gang as its users meet it: mpirun, spottrain-mpi, files.
#include "trainer/gang/gang_fixture.h"

namespace spottrain {
namespace {

TEST_F(Gang, StoppedAndResumedEqualsNeverStopped) {
  ASSERT_EQ(train(2, "straight", ""), 0);
  ASSERT_EQ(train(2, "stopped", "--max-steps 3"), 75);
  ASSERT_EQ(train(2, "stopped", "--max-steps 4"), 75);
  ASSERT_EQ(train(2, "stopped", ""), 0);
  for (const char* file : {"step-0000000010.safetensors", "train.csv"}) {
    EXPECT_TRUE(file_content(folder_ / "stopped" / file) ==
                file_content(folder_ / "straight" / file))
        << file;
    EXPECT_GT(file_content(folder_ / "straight" / file).size(), 50u) << file;
  }
}

TEST_F(Gang, AnErrorOfOneEndsAllAndAnotherSizeIsAnotherTraining) {
  EXPECT_EQ(train(2, "bad", "--keep 1"), 2);
  ASSERT_EQ(train(2, "two", "--max-steps 2"), 75);
  EXPECT_EQ(train(3, "two", ""), 2);
}

}  // namespace
}  // namespace spottrain
