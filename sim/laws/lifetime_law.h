// Laws of how long a stretch of capacity, or of none, lasts: one law a file, one row in
// lifetime_laws().
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/kernel/random.h"

namespace sim::market {

// A law's parameters in the order of its names; the rest is 0.
using LawParameters = std::array<double, 4>;

// How long stretches lasted, in hours, all above 0.
struct LifetimeSample {
  std::vector<double> whole;
  // Of those begun before the first instant seen, or that went on after the last: they lasted at
  // least so long (right-censored).
  std::vector<double> cut;
  double tick = 0;  // what all were rounded to; 0: nothing
};
// So many stretches of one length: a trace's ticks make few rows of many.
struct EqualStretches {
  double hours, count;
  bool cut;
};
// The whole ones in order, then those cut.
std::vector<EqualStretches> rows_of(const LifetimeSample& sorted);
// How many ticks a stretch lasts in a trace of them: at least one.
double whole_ticks(double hours, double tick);

// All times are in hours.
struct LifetimeLaw {
  std::string_view name;
  std::span<const std::string_view> parameters;  // their names
  // Whether Akaike's criterion holds: every parameter is estimated by maximum likelihood, and what
  // lengths are possible does not depend on it.
  bool regular;
  int bootstrap_rounds;  // of bootstrap_p(), fewer where fitting takes long
  // By maximum likelihood, the density of the whole stretches times the survival of those cut. Both
  // are sorted; at least two are whole.
  LawParameters (*fit)(const LifetimeSample& sorted);
  // The share of stretches that last at most so long.
  double (*cdf)(const LawParameters& p, double hours);
  double (*log_density)(const LawParameters& p, double hours);
  // Of the share that lasts longer.
  double (*log_survival)(const LawParameters& p, double hours);
  double (*mean)(const LawParameters& p);
  // Takes one uniform number from the stream.
  double (*draw)(const LawParameters& p, Stream& stream);
};

extern const LifetimeLaw kExponential;
extern const LifetimeLaw kWeibull;
extern const LifetimeLaw kBathtub;

std::span<const LifetimeLaw* const> lifetime_laws();
// Null for a name that no law has.
const LifetimeLaw* find_lifetime_law(std::string_view name);

// A law fitted to a sample, and how far off it is: the Kolmogorov-Smirnov distance D from the
// Kaplan-Meier estimate, which is the sample's own distribution where no stretch is cut, with the
// law rounded to the sample's tick, and Akaike's criterion, 2 · parameters − 2 ln L, less is
// better, of a regular law.
struct Fit {
  const LifetimeLaw* law = nullptr;
  LawParameters parameters{};
  double mean = 0;  // hours
  double distance = 0;
  std::optional<double> aic;
};
// A sample of at least two whole stretches, in any order.
Fit fit(const LifetimeLaw& law, LifetimeSample sample);
// With each law, in the table's order.
std::vector<Fit> fit_all(const LifetimeSample& sample);

// Samples are drawn from the fitted law, cut and rounded like this one, and fitted again. The
// result is the share of samples that are at least as far from their fit as this sample is from its
// own: the parametric bootstrap (Stute, Gonzáles Manteiga, Presedo Quindimil, "Bootstrap based
// goodness-of-fit-tests", Metrika 1993). The draws are the same each time, so the result depends on
// the arguments only.
double bootstrap_p(const Fit& fit, const LifetimeSample& sample);
inline constexpr double kRejected = 0.05;  // a law with this p or less

// The simplest law that is not rejected, in the table's order. If all are rejected, the regular law
// with the least distance. Likelihood is no criterion, because the bathtub law's last parameter is
// not its estimate. The bathtub law is left out then: it stretches to the longest life seen, so its
// mean is far off where it does not fit.
Fit best_fit(const LifetimeSample& sample);

}  // namespace sim::market
