#include "sim/market/lifetime_law.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sim::market {
namespace {

std::vector<double> draws(const LifetimeLaw& law, const LawParameters& p, int n,
                          std::uint64_t seed = 3) {
  Stream stream(seed);
  std::vector<double> sample;
  for (int i = 0; i < n; ++i) sample.push_back(law.draw(p, stream));
  return sample;
}

const LawParameters kMean4{4}, kScale5Shape25{5, 2.5}, kDay{1.5, 0.9, 23.5, 24};

TEST(LifetimeLaws, FitsFindTheLawThatWasDrawnFrom) {
  const Fit e = fit(kExponential, draws(kExponential, kMean4, 4000));
  EXPECT_NEAR(e.mean, 4, 0.2);
  EXPECT_GT(e.p, 0.05);
  const Fit w = fit(kWeibull, draws(kWeibull, kScale5Shape25, 4000));
  EXPECT_NEAR(w.parameters[0], 5, 0.1);
  EXPECT_NEAR(w.parameters[1], 2.5, 0.1);
  EXPECT_NEAR(w.mean, 5 * std::tgamma(1.4), 0.1);
  EXPECT_GT(w.p, 0.05);
  const Fit b = fit(kBathtub, draws(kBathtub, kDay, 4000));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(b.parameters[i], kDay[i], 0.15) << i;
  EXPECT_GT(b.p, 0.05);
}

TEST(LifetimeLaws, TheCriterionPrefersTheLawThatWasDrawnFrom) {
  // The others contain the exponential law: their parameters more gain nothing but chance, which
  // is large where the longest draws lie together by it.
  int near_the_best = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto exponential = fit_all(draws(kExponential, kMean4, 1000, seed));
    near_the_best += exponential[0].aic < best_of(exponential).aic + 4;
  }
  EXPECT_GE(near_the_best, 17);
  EXPECT_EQ(best_of(fit_all(draws(kWeibull, kScale5Shape25, 4000))).law, &kWeibull);
  EXPECT_EQ(best_of(fit_all(draws(kBathtub, kDay, 4000))).law, &kBathtub);
  EXPECT_LT(fit(kExponential, draws(kWeibull, kScale5Shape25, 4000)).p, 1e-6);
}

// No parameter moved a little makes the sample likelier.
TEST(LifetimeLaws, FitsAreAtTheLargestLikelihood) {
  for (const LifetimeLaw* law : lifetime_laws()) {
    const auto sample = draws(kBathtub, kDay, 300);
    const Fit best = fit(*law, sample);
    const std::size_t free = law == &kBathtub ? 3 : law->parameters.size();
    for (std::size_t i = 0; i < free; ++i)
      for (const double factor : {0.98, 1.02}) {
        LawParameters moved = best.parameters;
        moved[i] *= factor;
        double gain = 0;
        for (const double t : sample)
          gain += law->log_density(moved, t) - law->log_density(best.parameters, t);
        EXPECT_LT(gain, 1e-6) << law->name << " " << law->parameters[i];
      }
  }
}

TEST(LifetimeLaws, DensityIsTheSlopeOfTheDistributionAndTheMeanItsMean) {
  const std::pair<const LifetimeLaw*, LawParameters> all[] = {
      {&kExponential, kMean4}, {&kWeibull, kScale5Shape25}, {&kBathtub, kDay}};
  for (const auto& [law, p] : all) {
    EXPECT_NEAR(law->cdf(p, 0), 0, 1e-12);
    double mean = 0;
    for (double t = 0.0005; t < 100; t += 0.001) mean += 0.001 * (1 - law->cdf(p, t));
    EXPECT_NEAR(mean, law->mean(p), 1e-3) << law->name;
    for (const double t : {0.3, 2.0, 9.0, 23.0}) {
      const double slope = (law->cdf(p, t + 1e-5) - law->cdf(p, t - 1e-5)) / 2e-5;
      EXPECT_NEAR(std::exp(law->log_density(p, t)), slope, 1e-5) << law->name << " " << t;
    }
  }
  EXPECT_EQ(kBathtub.cdf(kDay, 24), 1);
}

TEST(LifetimeLaws, EqualValuesAndTwoValuesCanBeFitted) {
  for (const std::vector<double>& sample :
       {std::vector<double>{1, 1}, std::vector<double>(50, 0.1), std::vector<double>{1e-6, 1e4}})
    for (const Fit& fit : fit_all(sample)) {
      EXPECT_TRUE(std::isfinite(fit.mean) && fit.mean > 0) << fit.law->name;
      EXPECT_TRUE(std::isfinite(fit.aic) && std::isfinite(fit.distance)) << fit.law->name;
    }
}

}  // namespace
}  // namespace sim::market
