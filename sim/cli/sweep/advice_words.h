// Texts that the advice for a job and the advice of a sweep share.
#pragma once

#include <string>
#include <string_view>

#include "sim/kernel/time.h"
#include "sim/sweep/statistics.h"

namespace sim::cli {

// A duration such as "24h10m": in whole minutes from ten minutes on, else in seconds.
std::string about(Duration duration);
std::string about_hours(double hours);

// "12.3 %"
std::string in_percent(double share);

// "$61.20", with four decimals below a dollar. For a distribution its mean, "$61.20 ± 1.05".
std::string dollars(double usd);
std::string dollars(const sweep::Distribution& cost);

// The additional cost over another sum, with as many decimals: "+$0.14", "-$1.20".
std::string difference(double usd, double of);

// When checkpoint policies save: "every 37m and on notice", "by daly:6h", "at the end only".
std::string saving(std::string_view policies);

}  // namespace sim::cli
