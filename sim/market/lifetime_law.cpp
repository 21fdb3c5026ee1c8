#include "sim/market/lifetime_law.h"

#include <algorithm>
#include <cmath>

#include "sim/kernel/check.h"

namespace sim::market {
namespace {

constexpr std::array kLaws{&kExponential, &kWeibull, &kBathtub};

// Kolmogorov's limit law, with Stephens' correction for small samples (Stephens 1970).
double kolmogorov_p(double distance, double n) {
  const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  if (x < 0.2) return 1;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(p, 0.0, 1.0);
}

double kolmogorov_distance(const Fit& fit, std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double law = fit.law->cdf(fit.parameters, sorted[i]), rank = static_cast<double>(i);
    distance = std::max({distance, std::abs(law - rank / n), std::abs(law - (rank + 1) / n)});
  }
  return distance;
}

}  // namespace

std::span<const LifetimeLaw* const> lifetime_laws() { return kLaws; }

const LifetimeLaw* find_lifetime_law(std::string_view name) {
  for (const LifetimeLaw* law : kLaws)
    if (law->name == name) return law;
  return nullptr;
}

Fit fit(const LifetimeLaw& law, std::vector<double> sample) {
  SIM_CHECK(sample.size() >= 2);
  std::sort(sample.begin(), sample.end());
  SIM_CHECK(sample.front() > 0);
  Fit fit{.law = &law, .parameters = law.fit(sample)};
  fit.mean = law.mean(fit.parameters);
  fit.distance = kolmogorov_distance(fit, sample);
  fit.p = kolmogorov_p(fit.distance, static_cast<double>(sample.size()));
  fit.aic = 2 * static_cast<double>(law.parameters.size());
  for (const double hours : sample) fit.aic -= 2 * law.log_density(fit.parameters, hours);
  return fit;
}

std::vector<Fit> fit_all(const std::vector<double>& sample) {
  std::vector<Fit> fits;
  for (const LifetimeLaw* law : kLaws) fits.push_back(fit(*law, sample));
  return fits;
}

const Fit& best_of(const std::vector<Fit>& fits) {
  return *std::min_element(fits.begin(), fits.end(),
                           [](const Fit& a, const Fit& b) { return a.aic < b.aic; });
}

}  // namespace sim::market
