#include "sim/laws/lifetime_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <limits>

#include "base/process/in_parallel.h"
#include "sim/kernel/check.h"

namespace sim::laws {
namespace {

constexpr std::array kLaws{&kExponential, &kWeibull, &kBathtub};
constexpr std::uint64_t kBootstrapSeed = 1;

LifetimeSample sorted(LifetimeSample sample) {
  SIM_CHECK(sample.whole.size() >= 2);
  if (!std::is_sorted(sample.whole.begin(), sample.whole.end()))
    std::sort(sample.whole.begin(), sample.whole.end());
  std::sort(sample.cut.begin(), sample.cut.end());
  SIM_CHECK(sample.whole.front() > 0 && (sample.cut.empty() || sample.cut.front() > 0));
  return sample;
}

// The distance from the Kaplan-Meier estimate of the survival (JASA 1958, equation 2b). At an end
// of d of the n stretches known to reach it, the estimate is multiplied by 1 − d/n; it is compared
// before and after. A stretch of k ticks was rounded from (k ± 1/2) ticks, the shortest from less.
double kolmogorov_distance(const Fit& fit, const LifetimeSample& sample) {
  const auto longer = [&](double hours) { return 1 - fit.law->cdf(fit.parameters, hours); };
  double distance = 0, survival = 1;
  auto cut = sample.cut.begin();
  for (auto t = sample.whole.begin(); t != sample.whole.end();) {
    const auto next = std::upper_bound(t, sample.whole.end(), *t);
    cut = std::lower_bound(cut, sample.cut.end(), *t);
    const auto reach = (sample.whole.end() - t) + (sample.cut.end() - cut);
    const bool least = *t < 1.5 * sample.tick;
    const double before = least ? 1 : longer(*t - sample.tick / 2);
    distance = std::max(distance, std::abs(before - survival));
    survival *= 1 - static_cast<double>(next - t) / static_cast<double>(reach);
    distance = std::max(distance, std::abs(longer(*t + sample.tick / 2) - survival));
    t = next;
  }
  return distance;
}

double log_likelihood(const Fit& fit, const LifetimeSample& sample) {
  double sum = 0;
  for (const EqualStretches& row : rows_of(sample))
    sum += row.count *
           (row.cut ? fit.law->log_survival : fit.law->log_density)(fit.parameters, row.hours);
  return sum;
}

Fit fit_sorted(const LifetimeLaw& law, const LifetimeSample& sample) {
  Fit fit{.law = &law, .parameters = law.fit(sample)};
  fit.mean = law.mean(fit.parameters);
  fit.distance = kolmogorov_distance(fit, sample);
  if (law.regular)
    fit.aic = 2 * static_cast<double>(law.parameters.size()) - 2 * log_likelihood(fit, sample);
  return fit;
}

// A length from the fitted law, rounded to the tick.
double draw_one(const Fit& fit, double tick, Stream& stream) {
  const double hours = fit.law->draw(fit.parameters, stream);
  return tick > 0 ? whole_ticks(hours, tick) * tick
                  : std::max(hours, std::numeric_limits<double>::min());
}

// As a generator of the standard's and Boost's distributions.
struct Bits {
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return stream.next(); }
  Stream& stream;
};

// n such lengths in order. The number that last k ticks is binomial among those that last k or
// more. So even a large n needs few draws: single ones only above `usual` ticks.
std::vector<double> draw_many(const Fit& fit, std::int64_t n, double tick, std::int64_t usual,
                              Stream& stream) {
  Bits bits{stream};
  std::vector<double> drawn;
  double shorter = 0;  // the share that lasts less than k ticks
  std::int64_t k = 1;
  for (; n > 0 && k <= usual; ++k) {
    const double as_long = fit.law->cdf(fit.parameters, (static_cast<double>(k) + 0.5) * tick);
    const double share = shorter < 1 ? (as_long - shorter) / (1 - shorter) : 1;
    std::int64_t count = 0;
    if (share >= 1)
      count = n;
    else if (share > 0)
      count = boost::random::binomial_distribution<std::int64_t>(n, share)(bits);
    drawn.insert(drawn.end(), static_cast<std::size_t>(count), static_cast<double>(k) * tick);
    n -= count;
    shorter = as_long;
  }
  for (const double least = (static_cast<double>(k) - 0.5) * tick; n > 0;) {
    const double hours = draw_one(fit, tick, stream);
    if (hours < least) continue;
    drawn.push_back(hours);
    --n;
  }
  return drawn;
}

// Draws as many stretches from the fitted law and cuts them at the same lengths.
LifetimeSample drawn_like(const Fit& fit, const LifetimeSample& sample, Stream& stream) {
  LifetimeSample drawn{.tick = sample.tick};
  const auto draw = [&] { return draw_one(fit, sample.tick, stream); };
  const auto n = std::ssize(sample.whole);
  const double longest = *std::max_element(sample.whole.begin(), sample.whole.end());
  if (longest < static_cast<double>(n) * sample.tick)
    drawn.whole = draw_many(fit, n, sample.tick, std::llround(4 * longest / sample.tick), stream);
  else
    for (std::int64_t i = 0; i < n; ++i) drawn.whole.push_back(draw());
  for (const double limit : sample.cut) {
    const double hours = draw();
    (hours > limit ? drawn.cut : drawn.whole).push_back(std::min(hours, limit));
  }
  return sorted(std::move(drawn));
}

}  // namespace

std::vector<EqualStretches> rows_of(const LifetimeSample& sorted) {
  std::vector<EqualStretches> rows;
  for (const bool cut : {false, true}) {
    const auto& all = cut ? sorted.cut : sorted.whole;
    for (auto t = all.begin(); t != all.end();) {
      const auto next = std::upper_bound(t, all.end(), *t);
      rows.push_back({*t, static_cast<double>(next - t), cut});
      t = next;
    }
  }
  return rows;
}

double whole_ticks(double hours, double tick) { return std::max(std::round(hours / tick), 1.0); }

std::span<const LifetimeLaw* const> lifetime_laws() { return kLaws; }

const LifetimeLaw* find_lifetime_law(std::string_view name) {
  for (const LifetimeLaw* law : kLaws)
    if (law->name == name) return law;
  return nullptr;
}

Fit fit(const LifetimeLaw& law, LifetimeSample sample) {
  return fit_sorted(law, sorted(std::move(sample)));
}

std::vector<Fit> fit_all(const LifetimeSample& sample) {
  const LifetimeSample in_order = sorted(sample);
  std::vector<Fit> fits;
  for (const LifetimeLaw* law : kLaws) fits.push_back(fit_sorted(*law, in_order));
  return fits;
}

double bootstrap_p(const Fit& fit, const LifetimeSample& sample) {
  const auto rounds = static_cast<std::size_t>(fit.law->bootstrap_rounds);
  std::vector<char> as_far(rounds);
  base::in_parallel(rounds, [&](std::size_t i) {
    Stream stream = Streams(kBootstrapSeed)
                        .stream("lifetime-bootstrap", fmt::format("{}/{}", fit.law->name, i));
    const LifetimeSample drawn = drawn_like(fit, sample, stream);
    const Fit again{.law = fit.law, .parameters = fit.law->fit(drawn)};
    as_far[i] = kolmogorov_distance(again, drawn) >= fit.distance;
  });
  const auto far = static_cast<double>(std::count(as_far.begin(), as_far.end(), 1));
  return (1 + far) / (1 + static_cast<double>(rounds));
}

Fit best_fit(const LifetimeSample& sample) {
  const std::vector<Fit> fits = fit_all(sample);
  for (const Fit& fit : fits)
    if (bootstrap_p(fit, sample) > kRejected) return fit;
  return *std::min_element(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
    return std::pair(!a.law->regular, a.distance) < std::pair(!b.law->regular, b.distance);
  });
}

}  // namespace sim::laws
