#include "policies/checkpoint/argument.h"

#include <charconv>
#include <stdexcept>
#include <string>

#include "base/time/duration.h"

namespace policies {

Duration read_duration(std::string_view text) {
  const auto duration = base::parse_positive_duration(text);
  if (!duration) throw std::invalid_argument("expected a duration with units, such as 10m or 90s");
  return *duration;
}

std::int64_t read_count(std::string_view text, std::string_view what) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop != end || count < 1) {
    throw std::invalid_argument("expected " + std::string(what) + ", at least 1");
  }
  return count;
}

double read_share(std::string_view text) {
  double share = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, share, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !(share > 0 && share < 1)) {
    throw std::invalid_argument("expected a number above 0 and below 1, such as 0.2");
  }
  return share;
}

}  // namespace policies
