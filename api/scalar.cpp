#include "api/scalar.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <iterator>

#include "api/refusal.h"
#include "base/text/base64.h"
#include "base/time/iso_time.h"

namespace api {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Reads the whole text as a number.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return {};
  return value;
}

// RFC 9110, section 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT". Not strptime(3), whose month names
// depend on the locale.
std::optional<Timestamp> read_http_time(std::string_view text) {
  static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 29 || text[3] != ',' || !text.ends_with(" GMT")) return {};
  const auto month = kMonths.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return {};
  return base::parse_iso_time(fmt::format("{}-{:02}-{}T{}Z", text.substr(12, 4), month / 3 + 1,
                                          text.substr(5, 2), text.substr(17, 8)));
}

std::optional<Timestamp> read_unix_time(std::string_view text) {
  const auto seconds = read_number<double>(text);
  if (!seconds || !(std::abs(*seconds) < 9e9)) return {};  // the range of 64 bits of nanoseconds
  const double whole = std::floor(*seconds);
  return Timestamp(std::chrono::seconds(static_cast<std::int64_t>(whole)) +
                   milliseconds(std::llround((*seconds - whole) * 1e3)));
}

[[noreturn]] void wrong(std::string_view where, std::string_view text, const char* expected) {
  throw Refusal(Refusal::Why::kType, std::string(where), std::string(text), expected);
}

std::int64_t read_integer(Type type, std::string_view text, std::string_view where) {
  const auto number = read_number<std::int64_t>(text);
  const bool fits =
      number && (type == Type::kLong || *number == static_cast<std::int32_t>(*number));
  if (!fits) wrong(where, text, type == Type::kInteger ? "an integer" : "a long integer");
  return *number;
}

// AWS's own clients write true and false. botocore before 1.33 writes True and False in headers,
// and people write 1 and 0.
bool read_boolean(std::string_view text, std::string_view where) {
  for (const std::string_view yes : {"true", "True", "TRUE", "1"})
    if (text == yes) return true;
  for (const std::string_view no : {"false", "False", "FALSE", "0"})
    if (text == no) return false;
  wrong(where, text, "true or false");
}

}  // namespace

void append_time(std::string& out, Timestamp time, TimeFormat format) {
  const auto to = std::back_inserter(out);
  if (format == TimeFormat::kUnix) {
    const auto ms = std::chrono::floor<milliseconds>(time).time_since_epoch().count();
    const auto whole = ms / 1000 - (ms % 1000 < 0 ? 1 : 0), rest = (ms % 1000 + 1000) % 1000;
    if (rest == 0) {
      fmt::format_to(to, "{}", whole);
    } else {
      append_number(out, static_cast<double>(ms) / 1e3);
    }
  } else if (format == TimeFormat::kRfc822) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    fmt::format_to(to, "{:%a, %d %b %Y %H:%M:%S} GMT",
                   fmt::gmtime(static_cast<std::time_t>(seconds.time_since_epoch().count())));
  } else {
    out += base::iso_time(time, 3);
  }
}

std::optional<Timestamp> read_time(std::string_view text) {
  if (const auto time = base::parse_iso_time(text)) return time;
  if (const auto time = read_http_time(text)) return time;
  return read_unix_time(text);
}

void append_number(std::string& out, double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  const std::string_view shortest(text.data(), static_cast<std::size_t>(end - text.data()));
  out += shortest;
  if (std::isfinite(value) && shortest.find_first_of(".e") == std::string_view::npos) out += ".0";
}

void append_scalar(std::string& out, Type type, const void* value, TimeFormat time) {
  switch (type) {
    case Type::kString:
      out += *static_cast<const std::string*>(value);
      return;
    case Type::kBlob:
      out += base::base64_encode(*static_cast<const std::string*>(value));
      return;
    case Type::kBoolean:
      out += *static_cast<const bool*>(value) ? "true" : "false";
      return;
    case Type::kInteger:
    case Type::kLong: {
      std::array<char, 24> text;
      const auto number = *static_cast<const std::int64_t*>(value);
      out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
      return;
    }
    case Type::kFloat:
    case Type::kDouble:
      append_number(out, *static_cast<const double*>(value));
      return;
    case Type::kTimestamp:
      append_time(out, *static_cast<const Timestamp*>(value), time);
      return;
    default:
      throw std::logic_error("append_scalar: no scalar");
  }
}

void read_scalar(Type type, std::string_view text, void* value, std::string_view where) {
  switch (type) {
    case Type::kString:
      static_cast<std::string*>(value)->assign(text);
      return;
    case Type::kBlob: {
      auto bytes = base::base64_decode(text);
      if (!bytes) wrong(where, text, "base64");
      *static_cast<std::string*>(value) = *std::move(bytes);
      return;
    }
    case Type::kBoolean:
      *static_cast<bool*>(value) = read_boolean(text, where);
      return;
    case Type::kInteger:
    case Type::kLong:
      *static_cast<std::int64_t*>(value) = read_integer(type, text, where);
      return;
    case Type::kFloat:
    case Type::kDouble: {
      const auto number = read_number<double>(text);
      if (!number || !std::isfinite(*number)) wrong(where, text, "a number");
      *static_cast<double*>(value) = *number;
      return;
    }
    case Type::kTimestamp: {
      const auto time = read_time(text);
      if (!time) wrong(where, text, "a time");
      *static_cast<Timestamp*>(value) = *time;
      return;
    }
    default:
      throw std::logic_error("read_scalar: no scalar");
  }
}

}  // namespace api
