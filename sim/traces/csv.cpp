#include "sim/traces/csv.h"

namespace sim::market {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> parts_of(std::string_view text, std::size_t count) {
  std::vector<std::string_view> parts;
  for (; count > 1 && !text.empty(); --count) {
    const std::size_t end = text.find('\n', text.size() / count);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string_view first_line(std::string_view text) { return take_line(text); }

void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace sim::market
