#include "policies/acquisition/skynomad_lives.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace policies {
namespace {

constexpr double kNoHazard = 1e-8;
constexpr double kAvailabilityWindow = 12 * 3600;  // seconds
constexpr double kMostRisk = 8, kLeastRisk = 1;    // of a region's events; before bursts show

}  // namespace

double SkyNomadLives::Life::hours() const { return std::max(0.0, (to - from) / 3600); }

void SkyNomadLives::start(Source source, double now) {
  since_ = now;
  source_ = source;
}

void SkyNomadLives::end(bool failure, double now) {
  if (since_) lives_.push_back({*since_, now, failure});
  since_.reset();
  failures_ += failure;
}

std::optional<double> SkyNomadLives::age(double now) const {
  if (!since_) return std::nullopt;
  return std::max(0.0, (now - *since_) / 3600);
}

SkyNomadLives::Hazards SkyNomadLives::hazards(double now) const {
  std::vector<double> all;
  std::vector<double> failed;
  for (const Life& life : lives_) {
    all.push_back(life.hours());
    if (life.failure) failed.push_back(life.hours());
  }
  if (const auto going_on = age(now); follows_age_ && going_on && *going_on > 0)
    all.push_back(*going_on);
  Hazards found{.knots = {}, .tail = kNoHazard};
  for (const double tau : std::set<double>(failed.begin(), failed.end())) {
    const auto ended = std::count_if(failed.begin(), failed.end(),
                                     [&](double d) { return std::abs(d - tau) <= 1e-9; });
    const auto reached =
        std::count_if(all.begin(), all.end(), [&](double d) { return d + 1e-9 >= tau; });
    found.knots.push_back({tau, static_cast<double>(ended) / static_cast<double>(reached)});
  }
  if (!found.knots.empty()) found.tail = std::max(found.knots.back().hazard, kNoHazard);
  return found;
}

double SkyNomadLives::cumulative(const Hazards& hazards, double hours) {
  if (hours <= 0) return 0;
  if (hazards.knots.empty()) return std::max(0.0, hours * hazards.tail);
  double sum = 0, last = 0;
  for (const Knot& knot : hazards.knots) {
    if (knot.hours >= hours) break;
    sum += knot.hazard;
    last = knot.hours;
  }
  if (hours > last && hazards.tail > 0) sum += (hours - last) * hazards.tail;
  return sum;
}

double SkyNomadLives::expected_left(double age_hours, double now) const {
  const Hazards found = hazards(now);
  const double g = std::max(1e-6, burst_);
  double expected = 0, alive = 1, t = std::max(0.0, age_hours);
  for (const Knot& knot : found.knots) {
    if (knot.hours <= t + 1e-12) continue;
    expected += alive * (knot.hours - t);
    alive *= std::exp(-g * knot.hazard);
    t = knot.hours;
  }
  const double tail = std::max(found.tail, 1e-12);
  const double dies = 1 - std::exp(-g * tail);
  expected += dies > 1e-9 ? alive * tick_h_ / dies : alive * tick_h_ / std::max(g * tail, 1e-9);
  return std::max(expected, 0.0);
}

double SkyNomadLives::availability(double now) const {
  const double from = std::max(0.0, now - kAvailabilityWindow);
  double seen = 0;
  for (const Life& life : lives_) {
    const double begin = std::max(life.from, from), end = std::min(life.to, now);
    if (end > begin) seen += end - begin;
  }
  if (since_ && now > std::max(*since_, from)) seen += now - std::max(*since_, from);
  const double span = std::min(kAvailabilityWindow, now);
  if (span <= 0 || (lives_.empty() && !since_)) return 0;
  return std::max(0.0, std::min(1.0, seen / span));
}

void SkyNomadLives::observe(double now) {
  const double risk = risk_of_tick(now);
  if (risk > 0 || failures_ > 0) add_event(risk);
  failures_ = 0;
}

// The hazard that the life which goes on went through since it was last looked at.
double SkyNomadLives::risk_of_tick(double now) {
  const Hazards found = hazards(now);
  const std::optional<double> now_age = age(now);
  std::optional<double> before;
  if (now_age) {
    auto& last = source_ == Source::kSpot ? spot_age_ : probe_age_;
    before = last.value_or(std::max(*now_age - tick_h_, 0.0));
    last = now_age;
  }
  if (!now_age || source_ == Source::kProbe) spot_age_.reset();
  if (!follows_age_ && (!now_age || source_ == Source::kSpot)) probe_age_.reset();
  double risk = 0;
  if (now_age) risk = std::max(0.0, cumulative(found, *now_age) - cumulative(found, *before));
  if (risk <= 0 && (now_age || failures_ > 0)) {
    if (found.knots.empty())
      risk = std::max(risk, found.tail * tick_h_);
    else if (now_age && *before >= found.knots.back().hours)
      risk = std::max(risk, found.tail * std::max(0.0, *now_age - *before));
  }
  if (failures_ > 0 && risk <= 0) risk = found.tail * tick_h_;
  return risk;
}

void SkyNomadLives::add_event(double risk) {
  events_.push_back({risk, failures_});
  const auto total_risk = [&] {
    double sum = 0;
    for (const Event& event : events_) sum += event.risk;
    return sum;
  };
  for (double total = total_risk();
       !events_.empty() && total - events_.front().risk >= kMostRisk;) {
    total -= events_.front().risk;
    events_.pop_front();
  }
  burst_ = total_risk() < kLeastRisk ? 1 : std::max(1.0, densest_suffix());
}

// Failures ÷ risk of the newest events, as many of them as makes it largest with a risk of at most
// 1; of equals the fewest.
double SkyNomadLives::densest_suffix() const {
  constexpr double kSome = 1e-6;
  double risk = 0, failures = 0, best = 0;
  int length = 0, best_length = 0;
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    risk += std::max(0.0, event->risk);
    failures += event->failures;
    ++length;
    if (length == 1 && risk <= kSome && failures <= 0) continue;
    if (risk > 1 + 1e-9) {
      if (length == 1) return failures / risk;
      break;
    }
    const double least = risk > 0 ? risk : failures > 0 ? kSome : 0;
    const double ratio = least > 0 ? failures / least : 0;
    if (best_length == 0 || ratio > best + 1e-9 ||
        (std::abs(ratio - best) <= 1e-9 && length < best_length))
      best = ratio, best_length = length;
  }
  if (best_length > 0) return best;
  const Event& newest = events_.back();
  const double least = newest.risk > 0 ? newest.risk : newest.failures > 0 ? kSome : 0;
  return least > 0 ? newest.failures / least : 0;
}

}  // namespace policies
