#include "policies/acquisition/policy.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

// Spot until it was interrupted n times, then on-demand to the end.
class FallbackFailures final : public AcquisitionPolicy {
 public:
  explicit FallbackFailures(std::int64_t most) : most_(most) {}

 private:
  void begin(const AcquisitionJob& job) override {
    AcquisitionPolicy::begin(job);
    failures_ = 0;
    before_ = Rental::kIdle;
  }
  Rental decide(const AcquisitionState& state) override {
    if (before_ == Rental::kSpot && state.now == Rental::kIdle) ++failures_;
    // On-demand was the fallback, also where another object of this class chose it.
    const bool given_up = failures_ >= most_ || state.now == Rental::kOnDemand;
    before_ = given_up ? Rental::kOnDemand : state.spot ? Rental::kSpot : Rental::kIdle;
    return before_;
  }

  std::int64_t most_, failures_ = 0;
  Rental before_ = Rental::kIdle;  // what was asked for in the tick before
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_fallback_failures(std::string_view argument) {
  return std::make_unique<FallbackFailures>(read_count(argument, "interruptions"));
}

}  // namespace policies
