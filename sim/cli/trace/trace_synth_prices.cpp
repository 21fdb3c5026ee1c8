// Prices drawn from --pool TYPE/AZ=PRICE, or from paths fitted to a history.
#include <fmt/format.h>

#include <cmath>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/cli/trace/trace_commands.h"
#include "sim/cli/trace/trace_report.h"
#include "sim/cli/trace/trace_synth.h"
#include "sim/events/event.h"
#include "sim/laws/synthesize_prices.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::cli {
namespace {

using laws::PricePath;
using market::PriceHistory;
using market::Usd;
using traces::TraceError;

constexpr Usd kLeast{100'000}, kMost{10'000'000'000'000};  // $0.0001, $10,000 an hour
constexpr std::int64_t kMostChanges = 10'000'000;          // limit for one pool, on average

Usd price_in(std::string_view text, const std::string& option) {
  const auto price = traces::parse_price(text);
  if (price && *price >= kLeast && *price <= kMost) return *price;
  throw TraceError(
      fmt::format("--pool {}: found \"{}\", expected a price from 0.0001 to 10000", option, text));
}

// Parses "PRICE" or "PRICE:MIN..MAX".
PricePath path_option(const PoolOption& option) {
  const auto& [pool, prices, text] = option;
  PricePath path{.pool = pool};
  const std::size_t colon = prices.find(':');
  path.base = price_in(prices.substr(0, colon), text);
  if (colon == prices.npos) {
    path.min = std::max(kLeast, Usd{path.base.nano - path.base.nano / 10});
    path.max = {path.base.nano + path.base.nano / 10};
    return path;
  }
  const std::string_view range = prices.substr(colon + 1);
  const std::size_t dots = range.find("..");
  if (dots == range.npos)
    throw TraceError(fmt::format("--pool {}: found \"{}\", expected MIN..MAX", text, range));
  path.min = price_in(range.substr(0, dots), text);
  path.max = price_in(range.substr(dots + 2), text);
  if (path.min <= path.base && path.base <= path.max) return path;
  throw TraceError(fmt::format("--pool {}: expected MIN <= PRICE <= MAX", text));
}

Duration interval_option(const SynthTrace& command) {
  const auto interval = parse_duration(command.interval);
  if (interval && *interval >= 1min && *interval <= 366 * 24h) return *interval;
  throw TraceError(fmt::format(
      "--interval: found \"{}\", expected from a minute to a year, such as 6h", command.interval));
}

std::int64_t percent_option(const char* option, double percent) {
  if (std::isfinite(percent)) return std::llround(percent * 1e4);
  throw TraceError(fmt::format("{}: expected a percentage such as 0.3", option));
}

PriceHistory draw(const laws::Synthesis& synthesis) {
  for (const PricePath& path : synthesis.paths) {
    if ((synthesis.to - synthesis.from) / path.change_interval > kMostChanges) {
      throw TraceError(fmt::format("--interval {}: more than {} changes from --from to --to",
                                   format_duration(path.change_interval), kMostChanges));
    }
  }
  return laws::synthesize(synthesis);
}

void print(const PriceHistory& source, const PriceHistory& drawn) {
  print_heading(fmt::format("{:<34} {:<9} {:>8} {:>8} {:>8} {:>8} {:>11}\n", "pool", "", "p5",
                            "p50", "p95", "mean", "changes/day"));
  for (const auto& [pool, points] : source.pools)
    for (const auto& [what, of] :
         {std::pair{"source", &points}, std::pair{"synthetic", &drawn.pools.at(pool)}}) {
      const auto s = laws::statistics_of(*of);
      fmt::print("{:<34} {:<9} {:>8.4f} {:>8.4f} {:>8.4f} {:>8.4f} {:>11.2f}\n", to_string(pool),
                 what, s.p5.dollars(), s.p50.dollars(), s.p95.dollars(), s.mean.dollars(),
                 s.changes_a_day);
    }
}

Json json_of_prices(const PriceHistory& source, const PriceHistory& drawn,
                    const laws::Synthesis& s) {
  Json pools = Json::array();
  for (const PricePath& path : s.paths)
    pools.push_back({{"pool", to_string(path.pool)},
                     {"base", format_usd(path.base)},
                     {"interval_seconds", seconds(path.change_interval)},
                     {"volatility", static_cast<double>(path.volatility_ppm) / 1e6},
                     {"reversion", static_cast<double>(path.reversion_ppm) / 1e6},
                     {"source", statistics_json(source.pools.at(path.pool))},
                     {"synthetic", statistics_json(drawn.pools.at(path.pool))}});
  return pools;
}

}  // namespace

void synth_prices(const SynthTrace& command, const std::vector<PoolOption>& pools) {
  laws::Synthesis synthesis{.paths = {}, .seed = command.seed};
  std::tie(synthesis.from, synthesis.to) = span_options(command, {}, {});
  for (const PoolOption& option : pools) {
    PricePath path = path_option(option);
    path.change_interval = interval_option(command);
    path.volatility_ppm = percent_option("--volatility", command.volatility_percent);
    path.reversion_ppm = percent_option("--reversion", command.reversion_percent);
    synthesis.paths.push_back(path);
  }
  traces::write_price_history(draw(synthesis), command.out);
}

void synth_like(const PriceHistory& source, const SynthTrace& command) {
  laws::Synthesis synthesis{.paths = {}, .seed = command.seed};
  Time first = Time::max(), last = Time::min();
  for (const auto& [pool, points] : source.pools) {
    synthesis.paths.push_back(laws::fitted_path(pool, points));
    first = std::min(first, points.front().at);
    last = std::max(last, points.back().at);
  }
  std::tie(synthesis.from, synthesis.to) = span_options(command, first, last);
  const PriceHistory drawn = draw(synthesis);
  traces::write_price_history(drawn, command.out);
  if (command.json)
    fmt::print("{}\n", Json{{"pools", json_of_prices(source, drawn, synthesis)}}.dump(2));
  else
    print(source, drawn);
}

}  // namespace sim::cli
