// Deadline-aware policies: spot as long as the job can still be done in time (safety_net.h).
#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "policies/acquisition/safety_net.h"

namespace policies {
namespace {

using std::chrono::nanoseconds;

// Spot or idle until the safety net (Wu et al., NSDI'24, section 4.1).
class Greedy final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override {
    const Rental wish = state.spot ? Rental::kSpot : Rental::kIdle;
    return with_safety_net(wish, whole_job(state, job()), state, job());
  }
};

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

// Uniform Progress (Wu et al., NSDI'24, section 4.3): progress keeps to the line from 0 at the
// start to C at the deadline.

// done < at·C/D, exactly.
bool is_behind(nanoseconds done, nanoseconds at, const AcquisitionJob& job) {
  return static_cast<__int128>(done.count()) * job.deadline.count() <
         static_cast<__int128>(at.count()) * job.work.count();
}

// Spot whenever it is there; on-demand when behind the line; from on-demand to spot only when ahead
// of the line of two changeovers later.
Rental uniform_progress(const AcquisitionState& state, const AcquisitionJob& job) {
  const nanoseconds now = state.tick * job.tick;
  Rental wish = state.spot ? Rental::kSpot : Rental::kIdle;
  if (!state.spot && is_behind(state.done, now, job)) wish = Rental::kOnDemand;
  if (state.now == Rental::kOnDemand) {
    const nanoseconds back = now + 2 * job.changeover;
    const bool far_ahead = static_cast<__int128>(state.done.count()) * job.deadline.count() >
                           static_cast<__int128>(back.count()) * job.work.count();
    if (!state.spot || !far_ahead) wish = Rental::kOnDemand;
  }
  return with_safety_net(wish, whole_job(state, job), state, job);
}

class UniformProgress final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override { return uniform_progress(state, job()); }
};

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

std::unique_ptr<AcquisitionPolicy> make_greedy(std::string_view) {
  return std::make_unique<Greedy>();
}
std::unique_ptr<AcquisitionPolicy> make_time_sliced(std::string_view argument) {
  std::int64_t slices = 0;
  const char* end = argument.data() + argument.size();
  const auto [stop, error] = std::from_chars(argument.data(), end, slices);
  if (error != std::errc{} || stop != end || slices < 1 || slices > kMostSlices)
    throw std::invalid_argument("expected a number of slices from 1, such as 8");
  return std::make_unique<TimeSliced>(slices);
}
std::unique_ptr<AcquisitionPolicy> make_uniform_progress(std::string_view) {
  return std::make_unique<UniformProgress>();
}
std::unique_ptr<AcquisitionPolicy> make_uniform_progress_oracle(std::string_view) {
  return std::make_unique<UniformProgressOracle>();
}

}  // namespace policies
