#include <limits>

#include "policies/acquisition/uniform_progress.h"

namespace policies {
namespace {

// Uniform Progress that knows how long spot capacity will last, and lets pass what does not pay for
// its changeovers (Wu et al., NSDI'24, section 4.4): with lifetime o and k = p_od/p, idle → spot
// iff o > k·d/(k−1), on-demand → spot iff o > 2k·d/(k−1). Both are those of the spot that would be
// taken: o ends with its capacity or when its price exceeds the bid, k is by its price now.
class UniformProgressOracle final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override {
    AcquisitionState seen = state;
    const Seconds worth = pays_after(state.price_ratio);
    const Seconds needed = state.now == Rental::kOnDemand ? 2 * worth : worth;
    if (state.now != Rental::kSpot && Seconds(state.spot_lifetime) <= needed) seen.spot = false;
    return uniform_progress(seen, job());
  }

  // k·d/(k−1), for free capacity, too.
  Seconds pays_after(double k) const {
    if (!(k > 1)) return Seconds(std::numeric_limits<double>::infinity());
    return Seconds(job().changeover) * (1 + 1 / (k - 1));
  }
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_uniform_progress_oracle(std::string_view) {
  return std::make_unique<UniformProgressOracle>();
}

}  // namespace policies
