// Laws of the length of a stretch with or without capacity: one file per law, one row in
// lifetime_laws().
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/kernel/random.h"

namespace sim::laws {

// A law's parameters in the order of its names; the rest is 0.
using LawParameters = std::array<double, 4>;

// How long stretches lasted, in hours, all above 0.
struct LifetimeSample {
  std::vector<double> whole;
  // Stretches that began before the first instant seen or ended after the last one. They lasted at
  // least this long (right-censored).
  std::vector<double> cut;
  double tick = 0;  // what all were rounded to; 0: nothing
};
// The number of stretches with one length: a trace's ticks make few rows of many stretches.
struct EqualStretches {
  double hours, count;
  bool cut;
};
// The rows of the complete stretches in order, then those of the cut ones.
std::vector<EqualStretches> rows_of(const LifetimeSample& sorted);
// The number of ticks that a stretch lasts in a trace: at least one.
double whole_ticks(double hours, double tick);

// All times are in hours.
struct LifetimeLaw {
  std::string_view name;
  std::span<const std::string_view> parameters;  // their names
  // Whether Akaike's criterion is valid: every parameter is a maximum-likelihood estimate, and the
  // range of possible lengths does not depend on it.
  bool regular;
  int bootstrap_rounds;  // of bootstrap_p(); fewer for laws whose fit is slow
  // Fits by maximum likelihood: the density of the complete stretches times the survival of the cut
  // ones. Both lists are sorted; at least two stretches are complete.
  LawParameters (*fit)(const LifetimeSample& sorted);
  // The share of stretches that last at most this long.
  double (*cdf)(const LawParameters& p, double hours);
  double (*log_density)(const LawParameters& p, double hours);
  // Of the share that lasts longer.
  double (*log_survival)(const LawParameters& p, double hours);
  double (*mean)(const LawParameters& p);
  // Uses one uniform number from the stream.
  double (*draw)(const LawParameters& p, Stream& stream);
};

extern const LifetimeLaw kExponential;
extern const LifetimeLaw kWeibull;
extern const LifetimeLaw kBathtub;

std::span<const LifetimeLaw* const> lifetime_laws();
// Null for a name that no law has.
const LifetimeLaw* find_lifetime_law(std::string_view name);

// A law fitted to a sample, and two measures of the fit. D is the Kolmogorov-Smirnov distance from
// the Kaplan-Meier estimate, with the law rounded to the sample's tick. (Without cut stretches,
// that estimate is the sample's own distribution.) Akaike's criterion is 2 · parameters − 2 ln L,
// for a regular law; less is better.
struct Fit {
  const LifetimeLaw* law = nullptr;
  LawParameters parameters{};
  double mean = 0;  // hours
  double distance = 0;
  std::optional<double> aic;
};
// Fits the law to a sample of at least two complete stretches, in any order.
Fit fit(const LifetimeLaw& law, LifetimeSample sample);
// With each law, in the table's order.
std::vector<Fit> fit_all(const LifetimeSample& sample);

// The p-value of a goodness-of-fit test by parametric bootstrap (Stute, Gonzáles Manteiga, Presedo
// Quindimil, "Bootstrap based goodness-of-fit-tests", Metrika 1993). Samples are drawn from the
// fitted law, cut and rounded like this sample, and fitted again. The result is the share of
// samples that are at least as far from their fit as this sample is from its own. The draws are the
// same each time, so the result depends on the arguments only.
double bootstrap_p(const Fit& fit, const LifetimeSample& sample);
inline constexpr double kRejected = 0.05;  // a law with this p or less

// The simplest law that is not rejected, in the table's order. If all are rejected, the regular law
// with the least distance. Likelihood is no criterion, because the bathtub law's last parameter is
// not its estimate. In that case the bathtub law is excluded: it extends to the longest life seen,
// so a bad fit has a wrong mean.
Fit best_fit(const LifetimeSample& sample);

}  // namespace sim::laws
