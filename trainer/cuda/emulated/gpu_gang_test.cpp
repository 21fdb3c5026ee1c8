// How the ranks of a gang get their GPUs, and how gradients are summed.
#include "trainer/gang/gpu_gang.h"

#include <gtest/gtest.h>

#include "trainer/cuda/module.h"
#include "trainer/eigen/reference/models_for_test.h"
#include "trainer/gang/threads_for_test.h"
#include "trainer/model/model_text.h"

namespace spottrain::cuda {
namespace {

ModelDescription model() { return parse_model("dense classes", "one", {2, 2, 1}, 3); }

// The emulated module with its two GPUs. A test can remove a part.
class Module final : public CudaModule {
 public:
  explicit Module(std::string why_no_gangs) : why_no_gangs_(std::move(why_no_gangs)) {}
  std::vector<GpuUuid> gpus() override { return module().gpus(); }
  std::string why_no_gangs() override { return why_no_gangs_; }
  GpuGangId new_gang_id() override { return module().new_gang_id(); }
  std::unique_ptr<Engine> make_engine(const ModelDescription& description,
                                      const EngineOptions& options, const GpuGang* gang) override {
    gpu = options.gpu;
    in_gang = gang != nullptr;
    return module().make_engine(description, options, gang);
  }
  int gpu = -1;
  bool in_gang = false;

 private:
  std::string why_no_gangs_;
};

struct Seen {
  int gpu = -1;
  bool in_gang = false;
  std::string told;
  std::vector<float> state;
};

std::vector<Seen> train(int ranks, int rank_without_nccl = -1) {
  return of_ranks<Seen>(ranks, [=](Communicator& gang) {
    Module own(gang.rank() == rank_without_nccl ? "no such file" : "");
    Seen seen;
    const auto engine =
        make_gpu_gang_engine(own, model(), {.batch_size = 6}, gang,
                             [&](const std::string& text) { seen.told += text + "\n"; });
    engine->set_state(random_state(model(), 1));
    engine->train(TestBatch(model(), 6, 1).view(), {.learning_rate = 0.1});
    seen.gpu = own.gpu;
    seen.in_gang = own.in_gang;
    seen.state = engine->state();
    return seen;
  });
}

TEST(GpuGang, RanksWithAGpuEachFormOne) {
  const auto seen = train(2);
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    EXPECT_EQ(seen[rank].gpu, static_cast<int>(rank));
    EXPECT_TRUE(seen[rank].in_gang);
    EXPECT_EQ(seen[rank].told, "");
    EXPECT_EQ(seen[rank].state, seen[0].state);
  }
}

TEST(GpuGang, RanksThatShareAGpuSumInTheirProcesses) {
  const auto seen = train(3);
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    EXPECT_EQ(seen[rank].gpu, static_cast<int>(rank % 2));
    EXPECT_FALSE(seen[rank].in_gang);
    EXPECT_EQ(
        seen[rank].told,
        rank > 0
            ? ""
            : "gradients are summed by the processes, not by NCCL: ranks 0 and 2 share a GPU\n");
    EXPECT_EQ(seen[rank].state, seen[0].state);
  }
}

TEST(GpuGang, AllUseProcessesIfOneHasNoNccl) {
  const auto seen = train(2, 1);
  EXPECT_EQ(seen[0].told, "gradients are summed by the processes, not by NCCL: rank 1 has none\n");
  EXPECT_EQ(seen[1].told, "rank 1: no NCCL: no such file\n");
  for (const Seen& rank : seen) EXPECT_FALSE(rank.in_gang);
  EXPECT_EQ(seen[0].state, seen[1].state);
}

}  // namespace
}  // namespace spottrain::cuda
