#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cli/trace_commands.h"
#include "sim/market/synthesize.h"
#include "sim/market/trace_fields.h"

namespace sim::cli {
namespace {

using market::PricePath;
using market::TraceError;
using market::Usd;

constexpr Usd kLeast{100'000}, kMost{10'000'000'000'000};  // $0.0001, $10,000 an hour
constexpr std::int64_t kMostChanges = 10'000'000;          // of one pool, on average

Usd price_in(std::string_view text, const std::string& option) {
  const auto price = market::parse_price(text);
  if (price && *price >= kLeast && *price <= kMost) return *price;
  throw TraceError(
      fmt::format("--pool {}: found \"{}\", expected a price from 0.0001 to 10000", option, text));
}

// "TYPE/AZ=PRICE" or "TYPE/AZ=PRICE:MIN..MAX"
PricePath path_option(const std::string& option) {
  const std::string_view text = option;
  const std::size_t slash = text.find('/'), equals = text.find('=');
  if (slash == text.npos || equals == text.npos || slash > equals ||
      !market::is_instance_type(text.substr(0, slash)) ||
      !market::is_zone(text.substr(slash + 1, equals - slash - 1))) {
    throw TraceError(fmt::format(
        "--pool {}: expected TYPE/AZ=PRICE such as p3.2xlarge/us-west-2b=0.93", option));
  }
  PricePath path{.pool = {option.substr(0, slash), option.substr(slash + 1, equals - slash - 1)}};
  const std::string_view prices = text.substr(equals + 1);
  const std::size_t colon = prices.find(':');
  path.base = price_in(prices.substr(0, colon), option);
  if (colon == prices.npos) {
    path.min = std::max(kLeast, Usd{path.base.nano - path.base.nano / 10});
    path.max = {path.base.nano + path.base.nano / 10};
    return path;
  }
  const std::string_view range = prices.substr(colon + 1);
  const std::size_t dots = range.find("..");
  if (dots == range.npos)
    throw TraceError(fmt::format("--pool {}: found \"{}\", expected MIN..MAX", option, range));
  path.min = price_in(range.substr(0, dots), option);
  path.max = price_in(range.substr(dots + 2), option);
  if (path.min <= path.base && path.base <= path.max) return path;
  throw TraceError(fmt::format("--pool {}: expected MIN <= PRICE <= MAX", option));
}

// Both times of a trace, in whole seconds. The years keep every difference and every draw in 64
// bits.
void read_range(const SynthesizeTrace& command, market::Synthesis& synthesis) {
  synthesis.from = time_option("--from", command.from);
  synthesis.to = time_option("--to", command.to);
  for (Time* time : {&synthesis.from, &synthesis.to})
    *time = std::chrono::floor<std::chrono::seconds>(*time);
  if (synthesis.from >= synthesis.to) throw TraceError("--to: expected a time after --from");
  if (synthesis.from < Time{} || synthesis.to > *parse_time("2200-01-01"))
    throw TraceError("--from, --to: expected times from 1970 to 2200");
}

Duration interval_option(const SynthesizeTrace& command, Duration whole) {
  const auto interval = parse_duration(command.interval);
  if (!interval || *interval < 1min || *interval > 366 * 24h) {
    throw TraceError(
        fmt::format("--interval: found \"{}\", expected from a minute to a year, such as 6h",
                    command.interval));
  }
  if (whole / *interval > kMostChanges) {
    throw TraceError(fmt::format("--interval {}: more than {} changes from --from to --to",
                                 command.interval, kMostChanges));
  }
  return *interval;
}

}  // namespace

void synthesize_trace(const SynthesizeTrace& command) {
  market::Synthesis synthesis;
  read_range(command, synthesis);
  synthesis.seed = command.seed;
  synthesis.change_interval = interval_option(command, synthesis.to - synthesis.from);
  if (!std::isfinite(command.volatility_percent))
    throw TraceError("--volatility: expected a percentage such as 0.3");
  synthesis.volatility_ppm = std::llround(command.volatility_percent * 1e4);
  for (const std::string& option : command.pools) {
    const PricePath path = path_option(option);
    for (const PricePath& other : synthesis.paths)
      if (other.pool == path.pool)
        throw TraceError("--pool " + option + ": the pool is there already");
    synthesis.paths.push_back(path);
  }
  write_price_history(market::synthesize(synthesis), command.out);
}

}  // namespace sim::cli
