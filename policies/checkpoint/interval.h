// How long to compute between checkpoints when interruptions come at random (exponentially
// distributed) with mean time M between them, and a checkpoint stops training for d. Seconds in and
// out; d >= 0, M > 0.
#pragma once

#include <string_view>

#include "policies/checkpoint/policy.h"

namespace policies {

// √(2dM): Young, "A first order approximation to the optimum checkpoint interval", CACM 17, 1974.
double young_interval(double d, double M);
// √(2dM) − d, not below 0: Daly, "A higher order estimate of the optimum checkpoint interval for
// restart dumps", FGCS 22, 2006, first order.
double daly_first_order_interval(double d, double M);
// √(2dM)·[1 + ⅓·(d ÷ 2M)^½ + ⅑·(d ÷ 2M)] − d for d < 2M, else M: Daly 2006, equation (37).
double daly_interval(double d, double M);
// M·(1 + W₀(−e^(−1 − d/M))), which minimises expected_time; W₀ is Lambert's function.
double exact_interval(double d, double M);

// The expected time of `work` seconds of computing, which is cut into pieces of `interval`, each
// followed by a checkpoint d. An interruption costs the piece and a restart R. It may also strike
// during a checkpoint or a restart. The formula is M·e^(R/M)·(e^((interval + d)/M) − 1)·work ÷
// interval (Daly 2006, equation (20)).
double expected_time(double work, double interval, double d, double M, double R);

// Saves once the interval that a formula gives has been computed since the last checkpoint. The
// argument says how M is known (interruption_time.h).
CheckpointPolicy interval_policy(std::string_view argument, double (*formula)(double d, double M));

}  // namespace policies
