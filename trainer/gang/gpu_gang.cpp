#include "trainer/gang/gpu_gang.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "trainer/gang/gang_engine.h"

namespace spottrain {
namespace {

// The facts about a rank that decide whether the GPUs form a gang.
struct Member {
  GpuUuid gpu{};
  bool has_nccl = false;
};

// The facts about every rank, by rank.
std::vector<Member> gather(const Member& own, Communicator& gang) {
  constexpr std::size_t kValues = std::tuple_size_v<GpuUuid> + 1;
  std::vector<float> values(static_cast<std::size_t>(gang.size()) * kValues);
  const auto of_rank = [&](std::size_t rank) {
    return std::span(values).subspan(rank * kValues, kValues);
  };
  const std::span<float> mine = of_rank(static_cast<std::size_t>(gang.rank()));
  std::ranges::transform(own.gpu, mine.begin(),
                         [](std::byte byte) { return static_cast<float>(byte); });
  mine.back() = own.has_nccl ? 1.0f : 0.0f;
  gang.sum(std::span(values));
  std::vector<Member> all(static_cast<std::size_t>(gang.size()));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::span<float> theirs = of_rank(rank);
    std::ranges::transform(theirs.first(kValues - 1), all[rank].gpu.begin(), [](float value) {
      return static_cast<std::byte>(static_cast<unsigned char>(value));
    });
    all[rank].has_nccl = theirs.back() > 0;
  }
  return all;
}

// Why the ranks' GPUs cannot form a gang. Empty if they can.
std::string obstacle(const std::vector<Member>& members) {
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    if (!members[rank].has_nccl) return fmt::format("rank {} has none", rank);
    const auto other = std::ranges::find(members, members[rank].gpu, &Member::gpu);
    const auto first = static_cast<std::size_t>(other - members.begin());
    if (first != rank) return fmt::format("ranks {} and {} share a GPU", first, rank);
  }
  return {};
}

}  // namespace

std::unique_ptr<Engine> make_gpu_gang_engine(CudaModule& module, const ModelDescription& model,
                                             EngineOptions options, Communicator& gang,
                                             const std::function<void(const std::string&)>& tell) {
  const std::vector<GpuUuid> gpus = module.gpus();
  const auto own = static_cast<std::size_t>(gang.local_rank()) % gpus.size();
  options.gpu = static_cast<int>(own);
  const std::string why_not = module.why_no_gangs();
  if (!why_not.empty()) tell(fmt::format("rank {}: no NCCL: {}", gang.rank(), why_not));
  const std::string why_no_gang = obstacle(gather({gpus[own], why_not.empty()}, gang));
  if (!why_no_gang.empty()) {
    if (gang.rank() == 0) {
      tell("gradients are summed by the processes, not by NCCL: " + why_no_gang);
    }
    return make_gang_engine(module.make_engine(model, options, nullptr), model, gang);
  }
  GpuGang place{.rank = {.rank = gang.rank(), .size = gang.size()}};
  if (gang.rank() == 0) place.id = module.new_gang_id();
  gang.broadcast(place.id);
  return module.make_engine(model, options, &place);
}

}  // namespace spottrain
