#include "sim/traces/trace_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "sim/market/zones.h"

namespace sim::traces {
namespace {

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

}  // namespace

std::optional<market::Usd> parse_price(std::string_view text) {
  const auto price = market::parse_usd(text);
  // A price of zero is an error of the file: no pool was ever free of charge.
  return price && price->nano > 0 ? price : std::nullopt;
}

std::optional<std::string> zone_named(std::string_view text) {
  return market::is_zone(text) ? std::optional(std::string(text)) : market::zone_of_id(text);
}

std::optional<market::Usd> price_of_number(double usd) {
  return parse_price(fmt::format("{:.9f}", usd));
}

std::optional<Time> parse_epoch_ms(std::string_view text) {
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max() / 1'000'000;
  if (error != std::errc{} || end != text.data() + text.size() || ms < 0 || ms > kLast) return {};
  return Time{std::chrono::milliseconds{ms}};
}

std::optional<market::Pool> pool_of_file_name(std::string_view name) {
  if (!take_suffix(name, ".gz")) take_suffix(name, ".zst");
  if (!take_suffix(name, ".csv")) return {};
  for (std::string_view system : {"-Linux-", ".linux."}) {
    const std::size_t at = name.find(system);
    if (at == std::string_view::npos) continue;
    market::Pool pool{std::string(name.substr(at + system.size())),
                      std::string(name.substr(0, at))};
    if (market::is_region(pool.availability_zone)) pool.availability_zone += 'a';
    if (market::is_zone(pool.availability_zone) && market::is_instance_type(pool.instance_type))
      return pool;
  }
  return {};
}

}  // namespace sim::traces
