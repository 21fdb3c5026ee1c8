#include "policies/checkpoint/hazard_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "policies/checkpoint/interval.h"

namespace policies {
namespace {

constexpr std::size_t kPieces = 400;       // of work
constexpr std::size_t kLongestPlan = 100;  // pieces in one interval
constexpr std::size_t kAges = 64;
constexpr double kIntervalsAhead = 30;
constexpr double kOldestInMeans = 4;
constexpr double kNever = 1e300;  // seconds

// Young instances stand closer together, for their danger changes fastest.
double age_at(double position, double oldest) {
  const double share = position / kAges;
  return oldest * share * share;
}
double position_of(double age, double oldest) {
  return kAges * std::sqrt(std::clamp(age / oldest, 0.0, 1.0));
}

// The result of computing for τ: how long it lasts until its end or an interruption, the
// probability of success, and the position of its end between two of the ages.
struct Try {
  double seconds, chance;
  std::size_t age_before;
  double way;  // from that age to the next, 0 to 1
};

Try attempt(const Weibull& life, double oldest, double age, double duration) {
  constexpr int kSlices = 32;  // of Simpson's rule
  const double danger = std::pow(age / life.scale, life.shape);
  const auto outlived = [&](double t) {
    return std::exp(danger - std::pow((age + t) / life.scale, life.shape));
  };
  double sum = 0;
  for (int i = 0; i <= kSlices; ++i) {
    const double weight = i == 0 || i == kSlices ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * outlived(duration * i / kSlices);
  }
  const double position = position_of(age + duration, oldest);
  const auto before = std::min(static_cast<std::size_t>(position), kAges - 1);
  const double low = age_at(static_cast<double>(before), oldest);
  const double high = age_at(static_cast<double>(before + 1), oldest);
  return {.seconds = sum * duration / (3 * kSlices),
          .chance = outlived(duration),
          .age_before = before,
          .way = std::clamp((age + duration - low) / (high - low), 0.0, 1.0)};
}

using ByAge = std::array<double, kAges + 1>;

double at_age(const ByAge& times, const Try& one) {
  const double before = times[one.age_before];
  return before + one.way * (times[one.age_before + 1] - before);
}

// The inputs for plans with one law, d and R.
struct Tries {
  Tries(const Weibull& life, double d, double R, double piece, double oldest) : by_age(kAges + 1) {
    for (std::size_t tau = 0; tau <= kLongestPlan; ++tau) {
      const double duration = static_cast<double>(tau) * piece + d;
      when_new.push_back(attempt(life, oldest, 0, R + duration));
      for (std::size_t a = 0; a <= kAges; ++a) {
        const double age = age_at(static_cast<double>(a), oldest);
        by_age[a].push_back(attempt(life, oldest, age, duration));
      }
    }
  }
  std::vector<Try> when_new;             // by τ
  std::vector<std::vector<Try>> by_age;  // and τ
};

// T₀ of the next piece of work; `times` are T of earlier ones.
double plan_when_new(const std::vector<Try>& tries, const std::vector<ByAge>& times) {
  const std::size_t work = times.size();
  double least = kNever;
  for (std::size_t tau = 1; tau <= std::min(work, kLongestPlan); ++tau) {
    const Try& one = tries[tau];
    least = std::min(least, one.seconds / one.chance + at_age(times[work - tau], one));
  }
  return least;
}

// T of the next piece of work at an age, and its best τ in pieces.
std::pair<double, std::uint8_t> plan_at_age(const std::vector<Try>& tries,
                                            const std::vector<ByAge>& times, double when_new) {
  const std::size_t work = times.size();
  std::pair<double, std::uint8_t> best{kNever, 1};
  for (std::size_t tau = 1; tau <= std::min(work, kLongestPlan); ++tau) {
    const Try& one = tries[tau];
    const double time =
        one.seconds + one.chance * at_age(times[work - tau], one) + (1 - one.chance) * when_new;
    if (time < best.first) best = {time, static_cast<std::uint8_t>(tau)};
  }
  return best;
}

}  // namespace

double Weibull::survival(double age) const { return std::exp(-std::pow(age / scale, shape)); }
double Weibull::mean() const { return scale * std::tgamma(1 + 1 / shape); }

HazardPlan::HazardPlan(const Weibull& life, double d, double R)
    : piece_(exact_interval(d, life.mean()) * kIntervalsAhead / kPieces),
      oldest_(kOldestInMeans * life.mean()) {
  const Tries tries(life, d, R, piece_, oldest_);
  std::vector<ByAge> times(1, ByAge{});
  best_.assign(1, std::vector<std::uint8_t>(kAges + 1, 1));
  time_when_new_.assign(1, 0.0);
  for (std::size_t work = 1; work <= kPieces; ++work) {
    time_when_new_.push_back(plan_when_new(tries.when_new, times));
    ByAge time{};
    auto& best = best_.emplace_back(kAges + 1);
    for (std::size_t a = 0; a <= kAges; ++a)
      std::tie(time[a], best[a]) = plan_at_age(tries.by_age[a], times, time_when_new_[work]);
    times.push_back(time);
  }
}

std::shared_ptr<const HazardPlan> HazardPlan::shared(const Weibull& life, double d, double R) {
  constexpr double kGrid = 1.02;
  constexpr std::size_t kMost = 256;  // plans of 30 kB
  static std::mutex mutex;
  static std::map<std::array<double, 4>, std::shared_ptr<const HazardPlan>> plans;
  const auto rounded = [](double value) {
    return value > 0 ? std::pow(kGrid, std::round(std::log(value) / std::log(kGrid))) : 0.0;
  };
  const std::array<double, 4> key{life.shape, life.scale, rounded(d), rounded(R)};
  const std::lock_guard lock(mutex);
  if (plans.size() >= kMost && !plans.contains(key)) plans.clear();
  auto& plan = plans[key];
  if (!plan) plan = std::make_shared<const HazardPlan>(life, key[2], key[3]);
  return plan;
}

std::size_t HazardPlan::piece_of(double remaining) const {
  const double pieces = std::ceil(remaining / piece_ - 1e-9);
  return static_cast<std::size_t>(std::clamp(pieces, 0.0, static_cast<double>(kPieces)));
}

double HazardPlan::interval(double remaining, double age) const {
  const auto nearest = static_cast<std::size_t>(std::lround(position_of(age, oldest_)));
  return static_cast<double>(best_[piece_of(remaining)][nearest]) * piece_;
}

double HazardPlan::expected_time(double remaining) const {
  return time_when_new_[piece_of(remaining)];
}

double HazardPlan::longest_work() const { return kPieces * piece_; }

}  // namespace policies
