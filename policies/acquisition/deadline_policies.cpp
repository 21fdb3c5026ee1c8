// Deadline-aware policies: they use spot while the job can still be done in time (safety_net.h).
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "policies/acquisition/safety_net.h"

namespace policies {
namespace {

using std::chrono::nanoseconds;

// Spot or idle until the safety net (Wu et al., NSDI'24, section 4.1).
class Greedy final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override {
    const Rental wish = state.spot ? Rental::kSpot : Rental::kIdle;
    return with_safety_net(wish, state, job());
  }
};

constexpr std::int64_t kMostSlices = 1'000'000;

// Greedy within each of n slices of the time, as computed by the simulator that was published with
// the paper (Wu et al., NSDI'24, section 4.2). Slice i ends at E_i = ⌊(i + 1)·D ÷ (n·g)⌋·g. Its
// work is the line's, W_i = C·(E_i − E_(i−1)) ÷ D. `gain` is the work above the line when the slice
// begins, and may be negative. It gives the slice time, but does not reduce its work. Once progress
// reaches the line of the slice's end, the slice is spot or idle. Otherwise it has its own safety
// net, with W_i minus its finished work and ⌊(E_i − now + gain) ÷ g⌋ remaining ticks.
//
// Whole nanoseconds are exact here: every rounding is followed by a ⌈ ⌉ or ⌊ ⌋ to ticks.
class TimeSliced final : public AcquisitionPolicy {
 public:
  explicit TimeSliced(std::int64_t slices) : slices_(slices) {}

 private:
  void begin(const AcquisitionJob& job) override {
    AcquisitionPolicy::begin(job);
    slice_ = 0;
    done_before_ = nanoseconds::zero();
  }

  Rental decide(const AcquisitionState& state) override {
    for (; slice_ < slices_ - 1 && end_of(slice_) <= state.tick; ++slice_)
      done_before_ = state.done;
    const Rental wish = state.spot ? Rental::kSpot : Rental::kIdle;
    const Goal whole = whole_job(state, job());
    const bool reached = line_at(end_of(slice_)) - state.done <= std::chrono::milliseconds(1);
    if (reached && !is_urgent(whole, 2, job())) return wish;
    const Goal slice = rest_of_slice(state);
    return with_safety_net(wish, state, [&](int changeovers) {
      return is_urgent(slice, changeovers, job()) || is_urgent(whole, changeovers, job());
    });
  }

  Goal rest_of_slice(const AcquisitionState& state) const {
    const std::int64_t begin = slice_ == 0 ? 0 : end_of(slice_ - 1), end = end_of(slice_);
    const nanoseconds gain = done_before_ - line_at(begin);
    const nanoseconds left = (end - state.tick) * job().tick + gain;
    return {line_at(end - begin) - (state.done - done_before_),
            whole_division(left.count(), job().tick.count())};
  }

  // Ticks from the start until slice i is over.
  std::int64_t end_of(std::int64_t slice) const {
    return static_cast<std::int64_t>(static_cast<__int128>(slice + 1) * job().deadline.count() /
                                     (static_cast<__int128>(slices_) * job().tick.count()));
  }

  // ⌈C·ticks·g ÷ D⌉
  nanoseconds line_at(std::int64_t ticks) const {
    const auto line = static_cast<__int128>(job().work.count()) * (ticks * job().tick).count();
    return nanoseconds(
        static_cast<std::int64_t>((line + job().deadline.count() - 1) / job().deadline.count()));
  }

  // ⌊a ÷ b⌋ for b > 0.
  static std::int64_t whole_division(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
  }

  std::int64_t slices_, slice_ = 0;
  nanoseconds done_before_{};  // when this slice began
};

// Uniform Progress (Wu et al., NSDI'24, section 4.3): progress keeps to the line from 0 at the
// start to C at the deadline.

// (done − at·C/D)·D, exactly. Its sign tells whether `done` is above, on or below the line.
__int128 above_line(nanoseconds done, nanoseconds at, const AcquisitionJob& job) {
  return static_cast<__int128>(done.count()) * job.deadline.count() -
         static_cast<__int128>(at.count()) * job.work.count();
}

// Without spot, and not held on-demand.
Rental without_spot(const AcquisitionState& state, const AcquisitionJob& job) {
  const bool behind = above_line(state.done, state.tick * job.tick, job) < 0;
  return behind ? Rental::kOnDemand : Rental::kIdle;
}

// The reasons for which a policy keeps an on-demand instance.
struct Keep {
  bool without_spot;  // also when progress is on or above the line
  bool hysteresis;    // until progress is above the line of two changeovers later
};

// Spot whenever available, and on-demand while behind the line. The paper's rule keeps on-demand
// for both reasons. Its simulator has variants without either.
class UniformProgress final : public AcquisitionPolicy {
 public:
  explicit UniformProgress(Keep keep) : keep_(keep) {}

 private:
  Rental decide(const AcquisitionState& state) override {
    const Rental wish = kept(state)  ? Rental::kOnDemand
                        : state.spot ? Rental::kSpot
                                     : without_spot(state, job());
    return with_safety_net(wish, state, job());
  }

  bool kept(const AcquisitionState& state) const {
    if (state.now != Rental::kOnDemand) return false;
    if (keep_.without_spot && !state.spot) return true;
    const nanoseconds back = state.tick * job().tick + 2 * job().changeover;
    return keep_.hysteresis && above_line(state.done, back, job()) <= 0;
  }

  Keep keep_;
};

// Uniform Progress with knowledge of how long spot capacity will last (Wu et al., NSDI'24, section
// 4.4). Spot is used only if the saving exceeds the cost of the changeovers. With lifetime o and k
// = p_od/p, the rules replace the hysteresis: idle → spot iff o > k·d/(k−1), on-demand → spot iff o
// > 2k·d/(k−1). Both values are those of the spot instance to be taken: o ends with its capacity or
// when its price exceeds the bid, and k uses its present price.
class UniformProgressOracle final : public AcquisitionPolicy {
 public:
  // `back`: how many changeovers spot must pay for when it is taken in place of on-demand.
  explicit UniformProgressOracle(int back) : back_(back) {}

 private:
  Rental decide(const AcquisitionState& state) override {
    return with_safety_net(wish(state), state, job());
  }

  Rental wish(const AcquisitionState& state) const {
    const bool on_demand = state.now == Rental::kOnDemand;
    const bool held = state.now == Rental::kSpot;
    if (state.spot && (held || pays(state, on_demand ? back_ : 1))) return Rental::kSpot;
    return on_demand ? Rental::kOnDemand : without_spot(state, job());
  }

  // o > n·k·d/(k−1) as o·(p_od − p) > n·d·p_od: spot's savings while it lasts exceed the on-demand
  // cost of its changeovers. So spot never pays if its price is not lower. Prices are whole
  // nano-dollars, and the comparison is exact.
  bool pays(const AcquisitionState& state, int changeovers) const {
    const auto nano = [](double usd) { return static_cast<__int128>(std::llround(usd * 1e9)); };
    const __int128 on_demand = nano(state.on_demand_price), spot = nano(state.spot_price);
    return state.spot_lifetime.count() * (on_demand - spot) >
           changeovers * job().changeover.count() * on_demand;
  }

  int back_;
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
  return std::make_unique<UniformProgress>(Keep{.without_spot = true, .hysteresis = true});
}
std::unique_ptr<AcquisitionPolicy> make_uniform_progress_no_keep(std::string_view) {
  return std::make_unique<UniformProgress>(Keep{.without_spot = false, .hysteresis = true});
}
std::unique_ptr<AcquisitionPolicy> make_uniform_progress_no_hysteresis(std::string_view) {
  return std::make_unique<UniformProgress>(Keep{.without_spot = true, .hysteresis = false});
}
std::unique_ptr<AcquisitionPolicy> make_uniform_progress_oracle(std::string_view) {
  return std::make_unique<UniformProgressOracle>(2);
}
std::unique_ptr<AcquisitionPolicy> make_uniform_progress_oracle_single(std::string_view) {
  return std::make_unique<UniformProgressOracle>(1);
}

}  // namespace policies
