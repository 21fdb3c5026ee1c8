// Policies without a deadline: on-demand, spot, and spot with a fallback to on-demand.
#include <optional>

#include "policies/acquisition/policy.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

class OnDemand final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState&) override { return Rental::kOnDemand; }
};

// Stays and waits, whatever the deadline.
class SpotOnly final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override {
    return state.spot ? Rental::kSpot : Rental::kIdle;
  }
};

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
  Rental before_ = Rental::kIdle;  // the decision of the previous tick
};

// Spot until there was none for this time, then on-demand to the end.
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
  std::optional<std::int64_t> since_;  // the first of consecutive ticks without spot
  bool given_up_ = false;
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_on_demand(std::string_view) {
  return std::make_unique<OnDemand>();
}
std::unique_ptr<AcquisitionPolicy> make_spot_only(std::string_view) {
  return std::make_unique<SpotOnly>();
}
std::unique_ptr<AcquisitionPolicy> make_fallback_failures(std::string_view argument) {
  return std::make_unique<FallbackFailures>(read_count(argument, "interruptions"));
}
std::unique_ptr<AcquisitionPolicy> make_fallback_waiting(std::string_view argument) {
  return std::make_unique<FallbackWaiting>(read_duration(argument));
}

}  // namespace policies
