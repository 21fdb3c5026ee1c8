#include "policies/acquisition/safety_net.h"

namespace policies {
namespace {

// Spot or idle until the safety net (Wu et al., NSDI'24, section 4.1).
class Greedy final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override {
    const Rental wish = state.spot ? Rental::kSpot : Rental::kIdle;
    return with_safety_net(wish, whole_job(state, job()), state, job());
  }
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_greedy(std::string_view) {
  return std::make_unique<Greedy>();
}

}  // namespace policies
