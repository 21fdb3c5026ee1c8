#include <limits>

#include "policies/acquisition/uniform_progress.h"

namespace policies {
namespace {

// Uniform Progress that knows how long spot capacity will last, and lets pass what does not pay for
// its changeovers (Wu et al., NSDI'24, section 4.4): with lifetime o and k = p_od/p, idle → spot
// iff o > k·d/(k−1), on-demand → spot iff o > 2k·d/(k−1).
class UniformProgressOracle final : public AcquisitionPolicy {
  void begin(const AcquisitionJob& job) override {
    AcquisitionPolicy::begin(job);
    const double k = job.price_ratio;
    worth_ = k > 1 ? Seconds(job.changeover) * (k / (k - 1))
                   : Seconds(std::numeric_limits<double>::infinity());
  }
  Rental decide(const AcquisitionState& state) override {
    AcquisitionState seen = state;
    const Seconds needed = state.now == Rental::kOnDemand ? 2 * worth_ : worth_;
    if (state.now != Rental::kSpot && Seconds(state.spot_lifetime) <= needed) seen.spot = false;
    return uniform_progress(seen, job());
  }

  Seconds worth_{};
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_uniform_progress_oracle(std::string_view) {
  return std::make_unique<UniformProgressOracle>();
}

}  // namespace policies
