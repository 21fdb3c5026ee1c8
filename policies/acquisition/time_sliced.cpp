#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "policies/acquisition/safety_net.h"

namespace policies {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kMostSlices = 1'000'000;

// Greedy within each of n equal slices of the time (Wu et al., NSDI'24, section 4.2): by the end of
// slice j, j/n of the work is to be done; what is done ahead counts in the next slice. Whole ticks
// are counted for the work and one changeover, and the other changeover is added to them:
// ⌈(C + d)/g⌉·g + d ≥ R.
class TimeSliced final : public AcquisitionPolicy {
 public:
  explicit TimeSliced(std::int64_t slices) : slices_(slices) {}

 private:
  Rental decide(const AcquisitionState& state) override {
    const nanoseconds now = state.tick * job().tick;
    const auto ended = static_cast<__int128>(now.count()) * slices_ / job().deadline.count();
    const std::int64_t slice = std::min(static_cast<std::int64_t>(ended), slices_ - 1) + 1;
    const Goal goal{part(job().work, slice) - state.done,
                    (part(job().deadline, slice) - now) / job().tick};
    if (is_urgent(goal, 1, job())) {
      const bool working = state.now == Rental::kSpot && state.changeover_left.count() == 0;
      return working ? Rental::kSpot : Rental::kOnDemand;
    }
    // ⌈(C + d)/g⌉ ≥ ⌈(R − d)/g⌉, where R is whole ticks.
    const Goal sooner{goal.work_left, goal.ticks_left - job().changeover / job().tick};
    if (state.now != Rental::kSpot && is_urgent(sooner, 1, job())) return Rental::kOnDemand;
    return state.spot ? Rental::kSpot : Rental::kIdle;
  }

  // slice/n of a whole.
  nanoseconds part(nanoseconds whole, std::int64_t slice) const {
    return nanoseconds(
        static_cast<std::int64_t>(static_cast<__int128>(whole.count()) * slice / slices_));
  }

  std::int64_t slices_;
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_time_sliced(std::string_view argument) {
  std::int64_t slices = 0;
  const char* end = argument.data() + argument.size();
  const auto [stop, error] = std::from_chars(argument.data(), end, slices);
  if (error != std::errc{} || stop != end || slices < 1 || slices > kMostSlices)
    throw std::invalid_argument("expected a number of slices from 1, such as 8");
  return std::make_unique<TimeSliced>(slices);
}

}  // namespace policies
