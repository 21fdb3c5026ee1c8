#include "orchestrator/aws/iso_time.h"

#include <fmt/format.h>

#include <charconv>

namespace spotrun::aws {
namespace {

bool read(std::string_view text, std::size_t at, std::size_t length, int& number) {
  if (text.size() < at + length) return false;
  const char* end = text.data() + at + length;
  const auto result = std::from_chars(text.data() + at, end, number);
  return result.ec == std::errc{} && result.ptr == end && number >= 0;
}

}  // namespace

std::string iso_time(Time time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int{date.year()},
                     unsigned{date.month()}, unsigned{date.day()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<Time> parse_iso_time(std::string_view text) {
  using namespace std::chrono;
  int y, mon, d, h, min, s, ms = 0;
  if (text.size() < 20 || text.back() != 'Z' || text[4] != '-' || text[7] != '-' ||
      text[10] != 'T' || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  if (!read(text, 0, 4, y) || !read(text, 5, 2, mon) || !read(text, 8, 2, d) ||
      !read(text, 11, 2, h) || !read(text, 14, 2, min) || !read(text, 17, 2, s)) {
    return std::nullopt;
  }
  if (text.size() > 20 && (text[19] != '.' || text.size() < 24 || !read(text, 20, 3, ms))) {
    return std::nullopt;
  }
  const year_month_day date{year{y}, month{static_cast<unsigned>(mon)},
                            day{static_cast<unsigned>(d)}};
  if (!date.ok() || h > 23 || min > 59 || s > 60) return std::nullopt;
  return Time{sys_days{date}} + hours{h} + minutes{min} + seconds{s} + milliseconds{ms};
}

}  // namespace spotrun::aws
