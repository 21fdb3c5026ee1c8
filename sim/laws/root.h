// Where a function is 0, for fits whose equation has no closed form.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>

namespace sim::market {

// Where a function that rises is 0 between `low` and `high`, to the last few digits; the end
// nearer to that place where it is not between them.
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

}  // namespace sim::market
