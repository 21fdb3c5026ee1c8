#include "orchestrator/job/dollars.h"

#include <fmt/format.h>

#include <charconv>

namespace spotrun {

std::optional<double> parse_dollars(std::string_view text) {
  constexpr double kMost = 1e6;
  double dollars = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, dollars, std::chars_format::fixed);
  if (error != std::errc{} || stop != end || !(dollars > 0 && dollars <= kMost)) return {};
  return dollars;
}

std::string format_dollars(double dollars) { return fmt::format("{:.6f}", dollars); }

}  // namespace spotrun
