#include "fakes/web/byte_range.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace fakes {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return UINT64_MAX;
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

}  // namespace

ByteRange read_byte_range(std::string_view header, std::uint64_t size) {
  using Kind = ByteRange::Kind;
  constexpr std::string_view kUnit = "bytes=";
  const auto dash = header.find('-');
  if (!header.starts_with(kUnit) || dash == header.npos) return {};
  const std::string_view from = header.substr(kUnit.size(), dash - kUnit.size());
  const std::string_view to = header.substr(dash + 1);
  const auto first = whole_number(from), last = whole_number(to);
  if (from.empty()) {  // the last so many
    if (!last) return {};
    const std::uint64_t count = std::min(*last, size);
    return {count ? Kind::kPart : Kind::kUnsatisfiable, size - count, count};
  }
  if (!first || (!last && !to.empty()) || (last && *last < *first)) return {};
  if (*first >= size) return {Kind::kUnsatisfiable, 0, 0};
  return {Kind::kPart, *first, std::min(last.value_or(size - 1), size - 1) - *first + 1};
}

}  // namespace fakes
