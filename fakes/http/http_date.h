// Formats times for HTTP headers (RFC 9110, section 5.6.7).
#pragma once

#include <fmt/chrono.h>

#include <chrono>
#include <string>

#include "sim/kernel/time.h"

namespace fakes {

// "Tue, 05 Nov 2019 10:00:00 GMT". Fractions of a second are dropped.
inline std::string http_date(sim::Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch());
  return fmt::format("{:%a, %d %b %Y %H:%M:%S GMT}", fmt::gmtime(std::time_t{seconds.count()}));
}

}  // namespace fakes
