// Tests a gang as users run it: with mpirun, spottrain-mpi and files.
#include "trainer/gang/gang_for_test.h"

namespace spottrain {
namespace {

TEST_F(Gang, StoppedAndResumedEqualsNeverStopped) {
  ASSERT_EQ(train(2, "straight", ""), 0) << errors();
  ASSERT_EQ(train(2, "stopped", "--max-steps 3"), 75);
  ASSERT_EQ(train(2, "stopped", "--max-steps 4"), 75);
  ASSERT_EQ(train(2, "stopped", ""), 0) << errors();
  for (const char* file : {"step-0000000010.safetensors", "train.csv"}) {
    EXPECT_TRUE(base::file_content(folder_ / "stopped" / file) ==
                base::file_content(folder_ / "straight" / file))
        << file;
    EXPECT_GT(base::file_content(folder_ / "straight" / file).size(), 50u) << file;
  }
}

// One of two hosts of a job. The second host runs the command of the first; this test does without
// mpirun.
TEST_F(Gang, AHostRunsTheCommandsOfTheFirst) {
#ifdef SPOTTRAIN_MPI
  const std::filesystem::path config = folder_ / "job/input/config";
  std::filesystem::create_directories(config);
  std::filesystem::create_directories(folder_ / "job/input/data/training");
  std::ofstream(config / "resourceconfig.json")
      << R"({"current_host": "algo-2", "hosts": ["localhost", "algo-2"]})";
  const std::string port = std::to_string(20'000 + getpid() % 20'000);
  setenv("SPOTTRAIN_GANG_PORT", port.c_str(), 1);
  const std::string host =
      SPOTTRAIN_MPI " train --sagemaker=" + (folder_ / "job").string() + " & host=$!; ";
  EXPECT_EQ(run(host + SPOTTRAIN_MPI " gang-agent localhost exit 3; test $? = 3 && wait $host"), 3)
      << errors();
  // If the host is killed after its command has started, no process of the command remains.
  const std::string runs = (folder_ / "runs").string(), left = (folder_ / "left").string();
  EXPECT_EQ(run(host + SPOTTRAIN_MPI " gang-agent localhost 'touch " + runs + "; sleep 5; touch " +
                left + "' & agent=$!; until test -e " + runs +
                "; do sleep 0.1; done; kill -9 $agent; wait $host"),
            1)
      << errors();
  EXPECT_FALSE(std::filesystem::exists(left));
  // The host also does not run an incomplete command of a caller that has ended.
  EXPECT_EQ(run(host + "until bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + port + " && printf \"touch " +
                left + "\" >&3'; do sleep 0.1; done; wait $host"),
            1)
      << errors();
  EXPECT_FALSE(std::filesystem::exists(left));
#endif
}

// Only rank 1 has this option. Rank 0 reports which rank stopped all.
TEST_F(Gang, ANoticeToOneRankStopsAllAndIsReported) {
#ifdef SPOTTRAIN_MPI
  ASSERT_EQ(train(2, "straight", ""), 0) << errors();
  const std::string command =
      MPIEXEC " -n 2 sh -c '" SPOTTRAIN_MPI " train --batch 12 --epochs 2 --augment flip --data " +
      (folder_ / "data").string() + " --checkpoints " + (folder_ / "stopped").string() +
      " $(test $OMPI_COMM_WORLD_RANK = 1 && echo --max-steps 3)'";
  ASSERT_EQ(run(command), 75);
  EXPECT_NE(errors().find("stopped at step 3 by rank 1; saved up to step 3"), std::string::npos)
      << errors();
  EXPECT_NE(errors().find("rank 1 stops: max-steps"), std::string::npos) << errors();
  ASSERT_EQ(train(2, "stopped", ""), 0) << errors();
  EXPECT_TRUE(base::file_content(folder_ / "stopped/train.csv") ==
              base::file_content(folder_ / "straight/train.csv"));
#endif
}

TEST_F(Gang, AnErrorOfOneRankEndsAllAndAnotherSizeIsAnotherTraining) {
  EXPECT_EQ(train(2, "bad", "--keep 1"), 2);
  ASSERT_EQ(train(2, "two", "--max-steps 2"), 75);
  EXPECT_EQ(train(3, "two", ""), 2);
}

TEST_F(Gang, OtherCommandsTakeOneProcess) {
  EXPECT_EQ(together(2, "bench --steps 1 --batch 2"), 2);
  EXPECT_NE(errors().find("spottrain: 2 processes: only 'train' can use several"),
            std::string::npos)
      << errors();
}

}  // namespace
}  // namespace spottrain
