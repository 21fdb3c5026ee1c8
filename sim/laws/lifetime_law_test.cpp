#include "sim/laws/lifetime_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/laws/root.h"

namespace sim::laws {
namespace {

LifetimeSample draws(const LifetimeLaw& law, const LawParameters& p, int n,
                     std::uint64_t seed = 3) {
  Stream stream(seed);
  LifetimeSample sample;
  for (int i = 0; i < n; ++i) sample.whole.push_back(law.draw(p, stream));
  return sample;
}

// Each third stretch is seen only for a time of up to `hours`.
LifetimeSample cut_draws(const LifetimeLaw& law, const LawParameters& p, int n, double hours) {
  Stream stream(5);
  LifetimeSample sample;
  for (int i = 0; i < n; ++i) {
    const double t = law.draw(p, stream), seen = i % 3 ? t : hours * stream.uniform();
    (t > seen ? sample.cut : sample.whole).push_back(std::min(t, seen));
  }
  return sample;
}

LifetimeSample at_ticks(LifetimeSample sample, double tick) {
  for (double& hours : sample.whole) hours = whole_ticks(hours, tick) * tick;
  sample.tick = tick;
  return sample;
}

double p_of(const LifetimeLaw& law, const LifetimeSample& sample) {
  return bootstrap_p(fit(law, sample), sample);
}

const LawParameters kMean4{4}, kScale5Shape25{5, 2.5}, kDay{1.5, 0.9, 23.5, 24};

TEST(RootOfRising, IsExactToTheLastDigitsOrTheNearerEnd) {
  const auto cube = [](double x) { return x * x * x - 2; };
  EXPECT_NEAR(root_of_rising(cube, 0, 100), std::cbrt(2), 1e-15);
  EXPECT_EQ(root_of_rising(cube, 2, 3), 2);
  EXPECT_EQ(root_of_rising(cube, -1, 1), 1);
}

// No nearby pair of the two parameters is likelier.
TEST(LifetimeLaws, FitsAreAtTheTopOfTheLikelihood) {
  const LifetimeSample sample = cut_draws(kWeibull, kScale5Shape25, 500, 8);
  const auto likelihood = [&](const LawParameters& p) {
    double sum = 0;
    for (const double t : sample.whole) sum += kWeibull.log_density(p, t);
    for (const double t : sample.cut) sum += kWeibull.log_survival(p, t);
    return sum;
  };
  const LawParameters best = fit(kWeibull, sample).parameters;
  for (const std::size_t i : {0, 1})
    for (const double step : {-1e-4, 1e-4}) {
      LawParameters other = best;
      other[i] *= 1 + step;
      EXPECT_LT(likelihood(other), likelihood(best)) << i << " " << step;
    }
}

TEST(LifetimeLaws, FitsFindTheLawThatWasDrawnFrom) {
  const Fit e = fit(kExponential, draws(kExponential, kMean4, 4000));
  EXPECT_NEAR(e.mean, 4, 0.2);
  const Fit w = fit(kWeibull, draws(kWeibull, kScale5Shape25, 4000));
  EXPECT_NEAR(w.parameters[0], 5, 0.1);
  EXPECT_NEAR(w.parameters[1], 2.5, 0.1);
  EXPECT_NEAR(w.mean, 5 * std::tgamma(1.4), 0.1);
  const Fit b = fit(kBathtub, draws(kBathtub, kDay, 4000));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(b.parameters[i], kDay[i], 0.15) << i;
  for (const Fit& fit : {e, w, b}) EXPECT_LT(fit.distance, 0.03) << fit.law->name;
}

TEST(LifetimeLaws, StretchesCutShortDoNotMoveTheFit) {
  const LifetimeSample sample = cut_draws(kExponential, kMean4, 4000, 8);
  ASSERT_GT(sample.cut.size(), 400u);
  const Fit e = fit(kExponential, sample);
  EXPECT_NEAR(e.mean, 4, 0.2);
  const Fit w = fit(kWeibull, cut_draws(kWeibull, kScale5Shape25, 4000, 8));
  EXPECT_NEAR(w.parameters[0], 5, 0.1);
  EXPECT_NEAR(w.parameters[1], 2.5, 0.1);
  const Fit b = fit(kBathtub, cut_draws(kBathtub, kDay, 4000, 24));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(b.parameters[i], kDay[i], 0.15) << i;
  for (const Fit& fit : {e, w, b}) EXPECT_LT(fit.distance, 0.03) << fit.law->name;
  EXPECT_LT(fit(kExponential, {.whole = sample.whole}).mean, 3.7);
}

TEST(LifetimeLaws, OfAFewStretchesByHand) {
  const LifetimeSample sample{.whole = {3, 1}, .cut = {2, 6}};
  const Fit e = fit(kExponential, sample);
  EXPECT_DOUBLE_EQ(e.mean, 6);  // 12 hours, 2 ends
  EXPECT_NEAR(*e.aic, 2 + 4 * std::log(6) + 4, 1e-12);
  // Kaplan and Meier: 3/4 last longer than 1 hour, 3/8 longer than 3.
  EXPECT_NEAR(e.distance, std::exp(-0.5) - 0.375, 1e-12);
}

TEST(LifetimeLaws, TheBestIsTheSimplestLawThatIsNotRejected) {
  int exponential = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    exponential += best_fit(draws(kExponential, kMean4, 300, seed)).law == &kExponential;
  EXPECT_GE(exponential, 17);
  EXPECT_EQ(best_fit(draws(kWeibull, kScale5Shape25, 300)).law, &kWeibull);
  EXPECT_EQ(best_fit(draws(kBathtub, kDay, 300)).law, &kBathtub);
  // No law fits two lengths only, so the regular law with the smaller distance is used.
  LifetimeSample two{.whole = std::vector<double>(100, 1.0)};
  two.whole.insert(two.whole.end(), 100, 50.0);
  const Fit nearest = best_fit(two);
  EXPECT_TRUE(nearest.law->regular);
  for (const Fit& fit : fit_all(two)) {
    EXPECT_LE(bootstrap_p(fit, two), kRejected) << fit.law->name;
    if (fit.law->regular) {
      EXPECT_LE(nearest.distance, fit.distance) << fit.law->name;
    }
  }
}

// With parameters fitted to the same sample Kolmogorov's own law would give a p above 1/2 to nearly
// all of these.
TEST(LifetimeLaws, PIsUniformForTheLawThatWasDrawnFrom) {
  int below_half = 0, rejected = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const double p = p_of(kExponential, draws(kExponential, kMean4, 60, seed));
    below_half += p < 0.5;
    rejected += p <= kRejected;
  }
  EXPECT_NEAR(below_half, 50, 15);
  EXPECT_LE(rejected, 12);
  EXPECT_LT(p_of(kExponential, draws(kWeibull, kScale5Shape25, 300)), 0.01);
}

TEST(LifetimeLaws, ACoarseTickDoesNotRejectTheLawThatWasDrawnFrom) {
  LifetimeSample sample = at_ticks(draws(kExponential, kMean4, 400), 1);
  EXPECT_GT(p_of(kExponential, sample), kRejected);
  sample.tick = 0;
  EXPECT_LE(p_of(kExponential, sample), kRejected);
}

// Of many stretches at a few lengths the bootstrap draws how many have each.
TEST(LifetimeLaws, PIsUniformAtCoarseTicksToo) {
  int below_half = 0, rejected = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const double p = p_of(kWeibull, at_ticks(draws(kWeibull, kScale5Shape25, 400, seed), 1));
    below_half += p < 0.5;
    rejected += p <= kRejected;
  }
  EXPECT_NEAR(below_half, 50, 15);
  EXPECT_LE(rejected, 12);
  EXPECT_LT(p_of(kExponential, at_ticks(draws(kWeibull, kScale5Shape25, 400), 1)), 0.01);
}

TEST(LifetimeLaws, PIsAFunctionOfTheSample) {
  const LifetimeSample sample = cut_draws(kWeibull, kScale5Shape25, 90, 8);
  for (const Fit& fit : fit_all(sample))
    EXPECT_EQ(bootstrap_p(fit, sample), bootstrap_p(fit, sample)) << fit.law->name;
}

double log_likelihood(const LifetimeLaw& law, const LawParameters& p,
                      const LifetimeSample& sample) {
  double sum = 0;
  for (const double t : sample.whole) sum += law.log_density(p, t);
  for (const double t : sample.cut) sum += law.log_survival(p, t);
  return sum;
}

// No parameter moved a little makes the sample likelier.
TEST(LifetimeLaws, FitsAreAtTheLargestLikelihood) {
  for (const LifetimeSample& sample :
       {draws(kBathtub, kDay, 300), cut_draws(kBathtub, kDay, 300, 24)})
    for (const LifetimeLaw* law : lifetime_laws()) {
      const Fit best = fit(*law, sample);
      const std::size_t free = law == &kBathtub ? 3 : law->parameters.size();
      for (std::size_t i = 0; i < free; ++i)
        for (const double factor : {0.98, 1.02}) {
          LawParameters moved = best.parameters;
          moved[i] *= factor;
          EXPECT_LT(log_likelihood(*law, moved, sample),
                    log_likelihood(*law, best.parameters, sample) + 1e-6)
              << law->name << " " << law->parameters[i];
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
      const double longer = 1 - law->cdf(p, t);
      if (longer > 1e-6) {
        EXPECT_NEAR(law->log_survival(p, t), std::log(longer), 1e-9) << law->name;
      }
    }
  }
  EXPECT_EQ(kBathtub.cdf(kDay, 24), 1);
}

TEST(LifetimeLaws, EqualValuesAndTwoValuesCanBeFitted) {
  const LifetimeSample samples[] = {{.whole = {1, 1}},
                                    {.whole = std::vector<double>(50, 0.1)},
                                    {.whole = {1e-6, 1e4}},
                                    {.whole = {1, 2}, .cut = {1e4, 1e-6}},
                                    {.whole = {5, 5}, .cut = {5, 5}, .tick = 5}};
  for (const LifetimeSample& sample : samples) {
    for (const Fit& fit : fit_all(sample)) {
      EXPECT_TRUE(std::isfinite(fit.mean) && fit.mean > 0) << fit.law->name;
      EXPECT_TRUE(std::isfinite(fit.distance) && std::isfinite(fit.aic.value_or(0)))
          << fit.law->name;
      const double p = bootstrap_p(fit, sample);
      EXPECT_TRUE(p > 0 && p <= 1) << fit.law->name;
    }
    EXPECT_NE(best_fit(sample).law, nullptr);
  }
}

}  // namespace
}  // namespace sim::laws
