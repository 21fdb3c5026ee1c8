#include "policies/acquisition/policy.h"

namespace policies {
namespace {

class OnDemand final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState&) override { return Rental::kOnDemand; }
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_on_demand(std::string_view) {
  return std::make_unique<OnDemand>();
}

}  // namespace policies
