#include "trainer/model/schedule.h"

#include <charconv>
#include <stdexcept>

namespace spottrain {
namespace {

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size();
}

}  // namespace

Schedule::Schedule(std::string_view text) : text_(text) {
  if (text == "constant") return;
  if (text.starts_with("step:")) {
    const std::string_view rest = text.substr(5);
    const auto colon = rest.find(':');
    if (colon != std::string_view::npos && parse_number(rest.substr(0, colon), every_) &&
        every_ > 0 && parse_number(rest.substr(colon + 1), factor_) && factor_ > 0 &&
        factor_ <= 1) {
      return;
    }
  }
  throw std::invalid_argument("schedule '" + text_ +
                              "': expected constant, or step:E:F with E epochs and 0 < F <= 1");
}

double Schedule::rate(double first_rate, std::int64_t epoch) const {
  if (every_ == 0) return first_rate;
  for (std::int64_t drops = epoch / every_; drops > 0 && first_rate > 0; --drops) {
    first_rate *= factor_;
  }
  return first_rate;
}

}  // namespace spottrain
