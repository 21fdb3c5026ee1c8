#include <optional>

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
    since_.reset();
    given_up_ = false;
  }
  Rental decide(const AcquisitionState& state) override {
    // On-demand was the fallback, also where another object of this class chose it.
    given_up_ |= state.now == Rental::kOnDemand;
    given_up_ |= since_ && (state.tick - *since_) * job().tick >= longest_;
    if (given_up_) return Rental::kOnDemand;
    if (state.spot) {
      since_.reset();
      return Rental::kSpot;
    }
    if (!since_) since_ = state.tick;
    return Rental::kIdle;
  }

  std::chrono::nanoseconds longest_;
  std::optional<std::int64_t> since_;  // the first tick without spot, of those without a break
  bool given_up_ = false;
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_fallback_waiting(std::string_view argument) {
  return std::make_unique<FallbackWaiting>(read_duration(argument));
}

}  // namespace policies
