#include "sim/market/pool.h"

#include <algorithm>

namespace sim::market {
namespace {

constexpr std::size_t kLongestName = 64;

bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool decimal(char c) { return c >= '0' && c <= '9'; }
bool lower_digit_or_dash(char c) { return lower(c) || decimal(c) || c == '-'; }

bool all(std::string_view text, bool (*is)(char)) {
  return std::all_of(text.begin(), text.end(), is);
}

}  // namespace

std::string to_string(const Pool& pool) {
  if (pool.availability_zone.empty()) return pool.instance_type;
  return pool.instance_type + "/" + pool.availability_zone;
}

bool is_region(std::string_view text) {
  return text.size() >= 4 && text.size() <= kLongestName && lower(text.front()) &&
         decimal(text.back()) && text.find('-') != std::string_view::npos &&
         all(text, lower_digit_or_dash);
}

bool is_zone(std::string_view text) {
  return !text.empty() && lower(text.back()) && is_region(text.substr(0, text.size() - 1));
}

std::string_view region_of(std::string_view zone) {
  const std::size_t digit = zone.find_last_of("0123456789");
  return digit == zone.npos ? zone : zone.substr(0, digit + 1);
}

bool is_instance_type(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.size() > kLongestName) return false;
  const std::string_view family = text.substr(0, dot), size = text.substr(dot + 1);
  return !family.empty() && lower(family.front()) && all(family, lower_digit_or_dash) &&
         !size.empty() && all(size, lower_digit_or_dash);
}

}  // namespace sim::market
