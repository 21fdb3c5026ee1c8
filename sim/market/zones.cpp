#include "sim/market/zones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "sim/market/pool.h"

namespace sim::market {
namespace {

// Regions whose zones are not a, b and c, or whose zone IDs skip a number.
struct Zones {
  std::string_view region, letters, numbers;
};
constexpr Zones kZones[] = {{"us-east-1", "abcdef", "123456"}, {"us-west-1", "ac", "13"},
                            {"us-west-2", "abcd", "1234"},     {"ca-central-1", "abd", "124"},
                            {"ap-northeast-1", "acd", "124"},  {"ap-northeast-2", "abcd", "1234"}};
constexpr Zones kOther{"", "abc", "123"};

const Zones& zones_of(std::string_view region) {
  const auto* const found = std::ranges::find(kZones, region, &Zones::region);
  return found == std::end(kZones) ? kOther : *found;
}

// The abbreviations of directions in zone IDs; longer names first.
constexpr std::pair<std::string_view, std::string_view> kDirections[] = {
    {"northeast", "ne"}, {"northwest", "nw"}, {"southeast", "se"},
    {"southwest", "sw"}, {"central", "c"},    {"north", "n"},
    {"south", "s"},      {"east", "e"},       {"west", "w"}};

// "us-gov-west-1" → "usgw1"; empty if the text is no region's name.
std::string short_region(std::string_view region) {
  const auto last = region.rfind('-');
  if (last == region.npos || last == 0) return {};
  const auto middle = region.rfind('-', last - 1);
  if (middle == region.npos) return {};
  const std::string_view direction = region.substr(middle + 1, last - middle - 1);
  for (const auto& [name, letters] : kDirections) {
    if (name != direction) continue;
    const std::string_view area = region.substr(0, middle);
    return fmt::format("{}{}{}", area == "us-gov" ? "usg" : area, letters, region.substr(last + 1));
  }
  return {};
}

// "usgw1" → "us-gov-west-1".
std::string long_region(std::string_view text) {
  if (text.size() < 4 || std::isdigit(static_cast<unsigned char>(text.back())) == 0) return {};
  std::string_view area = text.substr(0, 2);
  std::string_view rest = text.substr(2);
  if (text.starts_with("usg") && text.size() > 4) {
    area = "us-gov";
    rest.remove_prefix(1);
  }
  const std::string_view letters = rest.substr(0, rest.size() - 1);
  for (const auto& [name, its] : kDirections)
    if (its == letters) return fmt::format("{}-{}-{}", area, name, rest.back());
  return {};
}

// Removes "-az2" from the end and returns the number, or 0.
int take_number(std::string_view& id) {
  const auto at = id.rfind("-az");
  if (at == id.npos || at + 4 != id.size() || id.back() < '1' || id.back() > '9') return 0;
  const int number = id.back() - '0';
  id = id.substr(0, at);
  return number;
}

}  // namespace

std::string_view zone_letters(std::string_view region) { return zones_of(region).letters; }

std::string zone_id(std::string_view zone) {
  if (!is_zone(zone)) return std::string(zone);
  const std::string_view name = zone.substr(0, zone.size() - 1);
  if (const std::string region = short_region(name); !region.empty()) {
    const Zones& zones = zones_of(name);
    const auto at = zones.letters.find(zone.back());
    const char number =
        at == zones.letters.npos ? static_cast<char>(zone.back() - 'a' + '1') : zones.numbers[at];
    return fmt::format("{}-az{}", region, number);
  }
  // A local zone: "us-west-2-lax-1a".
  const auto last = name.rfind('-'), city = name.rfind('-', last - 1);
  const std::string region = city == name.npos ? "" : short_region(name.substr(0, city));
  if (region.empty()) return std::string(zone);
  return fmt::format("{}-{}{}-az{}", region, name.substr(city + 1, last - city - 1),
                     name.substr(last + 1), zone.back() - 'a' + 1);
}

std::optional<std::string> zone_of_id(std::string_view id) {
  std::string_view rest = id;
  const int number = take_number(rest);
  const auto dash = rest.find('-');
  const std::string region = long_region(rest.substr(0, dash));
  if (number == 0 || region.empty()) return {};
  if (dash == rest.npos) {
    const Zones& zones = zones_of(region);
    const auto at = zones.numbers.find(static_cast<char>('0' + number));
    const char letter =
        at == zones.numbers.npos ? static_cast<char>('a' + number - 1) : zones.letters[at];
    return region + letter;
  }
  const std::string_view city = rest.substr(dash + 1);
  if (city.size() < 2 || std::isdigit(static_cast<unsigned char>(city.back())) == 0) return {};
  std::string zone = fmt::format("{}-{}-{}{}", region, city.substr(0, city.size() - 1), city.back(),
                                 static_cast<char>('a' + number - 1));
  return is_zone(zone) ? std::optional(std::move(zone)) : std::nullopt;
}

}  // namespace sim::market
