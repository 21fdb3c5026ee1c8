// Tests a gang on GPUs as users run it.
#include "trainer/engine/cuda_module.h"
#include "trainer/gang/gang_for_test.h"

namespace spottrain {
namespace {

class GangOfGpus : public Gang {
 protected:
  void SetUp() override {
    try {
      gpus = cuda_module().gpus().size();
    } catch (const EngineUnavailable& unavailable) {
      GTEST_SKIP() << unavailable.what();
    }
    Gang::SetUp();
  }
  int train_on_gpus(const std::string& name, const std::string& more) const {
    return train(2, name, "--device cuda --deterministic " + more);
  }
  std::size_t gpus = 0;
};

TEST_F(GangOfGpus, StoppedAndResumedEqualsNeverStopped) {
  if (gpus < 2) GTEST_SKIP() << "one GPU, two are needed";
  const std::string reason = cuda_module().why_no_gangs();
  if (!reason.empty()) GTEST_SKIP() << reason;
  ASSERT_EQ(train_on_gpus("straight", ""), 0) << errors();
  EXPECT_EQ(errors().find("not by NCCL"), std::string::npos) << errors();
  ASSERT_EQ(train_on_gpus("stopped", "--max-steps 3"), 75) << errors();
  ASSERT_EQ(train_on_gpus("stopped", ""), 0) << errors();
  const std::string last = "step-0000000010.safetensors";
  EXPECT_GT(base::file_content(folder_ / "straight" / last).size(), 50u);
  EXPECT_TRUE(base::file_content(folder_ / "stopped" / last) ==
              base::file_content(folder_ / "straight" / last));
}

TEST_F(GangOfGpus, ThatShareAGpuSumInTheirProcessesAndReportIt) {
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // for the ranks; this process has seen its GPUs
  EXPECT_EQ(train_on_gpus("shared", ""), 0) << errors();
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_NE(errors().find("summed by the processes, not by NCCL: ranks 0 and 1 share a GPU"),
            std::string::npos)
      << errors();
}

}  // namespace
}  // namespace spottrain
