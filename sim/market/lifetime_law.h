// Laws of how long a stretch of capacity, or of none, lasts: one law a file, one row in
// lifetime_laws().
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sim/kernel/random.h"

namespace sim::market {

// A law's parameters in the order of its names; the rest is 0.
using LawParameters = std::array<double, 4>;

// All times are in hours.
struct LifetimeLaw {
  std::string_view name;
  std::span<const std::string_view> parameters;  // their names
  // By maximum likelihood. The sample is sorted, has at least two values, all above 0.
  LawParameters (*fit)(std::span<const double> sample);
  // The share of stretches that last at most so long.
  double (*cdf)(const LawParameters& p, double hours);
  double (*log_density)(const LawParameters& p, double hours);
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

// A law fitted to a sample, and how far off it is: the Kolmogorov-Smirnov distance D, its
// asymptotic p (optimistic, as the law was fitted to the same sample, and low where a coarse tick
// makes many stretches equal), and Akaike's criterion, 2 · parameters − 2 ln L, by which laws can
// be compared: less is better.
struct Fit {
  const LifetimeLaw* law = nullptr;
  LawParameters parameters{};
  double mean = 0;  // hours
  double distance = 0, p = 1, aic = 0;
};
// A sample of at least two values above 0, in any order.
Fit fit(const LifetimeLaw& law, std::vector<double> sample);
// With each law, in the table's order.
std::vector<Fit> fit_all(const std::vector<double>& sample);
// The one with the least criterion; the first of equals.
const Fit& best_of(const std::vector<Fit>& fits);

}  // namespace sim::market
