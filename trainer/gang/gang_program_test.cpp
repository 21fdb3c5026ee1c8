// A gang as its users meet it: mpirun, spottrain-mpi, files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "trainer/test_folder.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

class Gang : public testing::Test {
 protected:
  void SetUp() override {
#ifndef SPOTTRAIN_MPI
    GTEST_SKIP() << "built without MPI";
#else
    // What Open MPI wants to be told of tests as root, and of more ranks than processors.
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"}) {
      setenv(name, "1", 1);
    }
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // MPI keeps some memory to its end
    ASSERT_EQ(
        run(SPOTTRAIN_MPI " synthesize " + (folder_ / "data").string() + " --train 60 --test 20"),
        0);
#endif
  }
  static int run(const std::string& command) {
    return WEXITSTATUS(std::system((command + " >/dev/null 2>&1").c_str()));
  }
  int train(int ranks, const std::string& name, const std::string& more) const {
#ifdef SPOTTRAIN_MPI
    return run(std::string(MPIEXEC " -n ") + std::to_string(ranks) +
               " " SPOTTRAIN_MPI " train --batch 12 --epochs 2 --augment flip --data " +
               (folder_ / "data").string() + " --checkpoints " + (folder_ / name).string() + " " +
               more);
#else
    return -1;
#endif
  }
  TestFolder folder_;
};

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
