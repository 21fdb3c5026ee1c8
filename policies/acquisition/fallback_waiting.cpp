#include "policies/acquisition/policy.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

// Spot until there was none for so long, then on-demand to the end.
class FallbackWaiting final : public AcquisitionPolicy {
 public:
  explicit FallbackWaiting(std::chrono::nanoseconds longest) : longest_(longest) {}

 private:
  void begin(const AcquisitionJob& job) override {
    AcquisitionPolicy::begin(job);
    waited_ = {};
  }
  Rental decide(const AcquisitionState& state) override {
    if (waited_ >= longest_) return Rental::kOnDemand;
    if (state.spot) {
      waited_ = {};
      return Rental::kSpot;
    }
    waited_ += job().tick;
    return Rental::kIdle;
  }

  std::chrono::nanoseconds longest_, waited_{};
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_fallback_waiting(std::string_view argument) {
  return std::make_unique<FallbackWaiting>(read_duration(argument));
}

}  // namespace policies
