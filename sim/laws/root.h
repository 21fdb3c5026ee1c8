// Finds a function's zero, for fits whose equation has no closed form.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>

namespace sim::laws {

// The zero of a rising function between `low` and `high`, to the last few digits. If the zero is
// outside, the end that is nearer to it.
template <typename Function>
double root_of_rising(const Function& f, double low, double high) {
  const double at_low = f(low), at_high = f(high);
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  std::uintmax_t steps = 100;
  const auto [from, to] = boost::math::tools::toms748_solve(
      f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(), steps);
  return from + (to - from) / 2;
}

}  // namespace sim::laws
