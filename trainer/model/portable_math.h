// Exponential, logarithm and cosine from IEEE additions and multiplications only. A maths library
// chooses its version by the processor, so its last bits differ between machines.
#pragma once

namespace spottrain {

// e^x to about 1e-15 relative; 0 below -708, infinity above 709.
double portable_exp(double x);
// Natural logarithm of a finite x > 0 that is not subnormal, to about 1e-15; NaN for other values.
double portable_log(double x);
// cos(π x) for x from 0 to 1, to about 1e-15.
double portable_cos_pi(double x);

}  // namespace spottrain
