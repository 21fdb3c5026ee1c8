// Replaces nccl.h's functions in builds without NCCL.
#include <stdexcept>

#include "trainer/cuda/collective.h"

namespace spottrain::cuda {

std::string why_no_gangs() { return "this build has none, nccl.h was missing"; }
GpuGangId new_gang_id() { throw std::runtime_error("no NCCL: " + why_no_gangs()); }

struct Collective::Ranks {};
Collective::Collective(const GpuGang&, bool) {
  throw std::runtime_error("no NCCL: " + why_no_gangs());
}
Collective::~Collective() = default;
void Collective::sum(float*, std::size_t, LossSums*, const Stream&) {}
void Collective::broadcast(float*, std::size_t, const Stream&) {}
void Collective::begin() {}
void Collective::end() {}
std::string Collective::description() const { return {}; }

}  // namespace spottrain::cuda
