#include "policies/acquisition/policy.h"

namespace policies {
namespace {

// Stays and waits, whatever the deadline.
class SpotOnly final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override {
    return state.spot ? Rental::kSpot : Rental::kIdle;
  }
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_spot_only(std::string_view) {
  return std::make_unique<SpotOnly>();
}

}  // namespace policies
