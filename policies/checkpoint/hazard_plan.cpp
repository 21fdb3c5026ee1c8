#include "policies/checkpoint/hazard_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "policies/checkpoint/interval.h"

namespace policies {
namespace {

constexpr std::size_t kPieces = 400;   // of work
constexpr std::size_t kLongest = 100;  // pieces in one interval
constexpr std::size_t kAges = 64;
constexpr double kIntervalsAhead = 30;
constexpr double kOldestInMeans = 4;

// Young instances stand closer together, for their danger changes fastest.
double age_at(double position, double oldest) {
  const double share = position / kAges;
  return oldest * share * share;
}
double position_of(double age, double oldest) {
  return kAges * std::sqrt(std::clamp(age / oldest, 0.0, 1.0));
}

}  // namespace

double Weibull::survival(double age) const { return std::exp(-std::pow(age / scale, shape)); }
double Weibull::mean() const { return scale * std::tgamma(1 + 1 / shape); }

HazardPlan::HazardPlan(const Weibull& life, double d, double R)
    : life_(life),
      piece_(exact_interval(d, life.mean()) * kIntervalsAhead / kPieces),
      oldest_(kOldestInMeans * life.mean()) {
  tries_.resize(kAges + 1);
  for (std::size_t tau = 0; tau <= kLongest; ++tau) {
    const double duration = static_cast<double>(tau) * piece_ + d;
    tries_when_new_.push_back(attempt(0, R + duration));
    for (std::size_t a = 0; a <= kAges; ++a) {
      tries_[a].push_back(attempt(age_at(static_cast<double>(a), oldest_), duration));
    }
  }
  time_.assign(1, std::vector<double>(kAges + 1, 0.0));
  best_.assign(1, std::vector<std::size_t>(kAges + 1, 1));
  time_when_new_.assign(1, 0.0);
  for (std::size_t work = 1; work <= kPieces; ++work) {
    plan_new(work);
    plan(work);
  }
}

HazardPlan::Try HazardPlan::attempt(double age, double duration) const {
  constexpr int kSlices = 32;  // of Simpson's rule
  const auto outlived = [&](double t) {
    return std::exp(std::pow(age / life_.scale, life_.shape) -
                    std::pow((age + t) / life_.scale, life_.shape));
  };
  double sum = 0;
  for (int i = 0; i <= kSlices; ++i) {
    const double weight = i == 0 || i == kSlices ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * outlived(duration * i / kSlices);
  }
  return {.seconds = sum * duration / (3 * kSlices),
          .chance = outlived(duration),
          .age_after = age + duration};
}

void HazardPlan::plan_new(std::size_t work) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t tau = 1; tau <= std::min(work, kLongest); ++tau) {
    const Try& one = tries_when_new_[tau];
    const double then = time_at(work - tau, one.age_after);
    least = std::min(least, (one.seconds + one.chance * then) / one.chance);
  }
  time_when_new_.push_back(least);
}

void HazardPlan::plan(std::size_t work) {
  auto& times = time_.emplace_back(kAges + 1, std::numeric_limits<double>::infinity());
  auto& best = best_.emplace_back(kAges + 1, std::size_t{1});
  for (std::size_t a = 0; a <= kAges; ++a) {
    for (std::size_t tau = 1; tau <= std::min(work, kLongest); ++tau) {
      const Try& one = tries_[a][tau];
      const double time = one.seconds + one.chance * time_at(work - tau, one.age_after) +
                          (1 - one.chance) * time_when_new_[work];
      if (time >= times[a]) continue;
      times[a] = time;
      best[a] = tau;
    }
  }
}

std::size_t HazardPlan::piece_of(double remaining) const {
  const double pieces = std::ceil(remaining / piece_ - 1e-9);
  return static_cast<std::size_t>(std::clamp(pieces, 0.0, static_cast<double>(kPieces)));
}

double HazardPlan::time_at(std::size_t work, double age) const {
  const double position = position_of(age, oldest_);
  const auto before = std::min(static_cast<std::size_t>(position), kAges - 1);
  const double low = age_at(static_cast<double>(before), oldest_);
  const double high = age_at(static_cast<double>(before + 1), oldest_);
  const double share = std::clamp((age - low) / (high - low), 0.0, 1.0);
  const auto& times = time_[work];
  return times[before] + share * (times[before + 1] - times[before]);
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
