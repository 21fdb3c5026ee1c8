#include "sim/market/csv.h"

#include <fmt/format.h>

#include <vector>

namespace sim::market {
namespace {

// Takes the first line off the front of text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

void read_from(const TraceFile& file, std::string_view rest, std::size_t number,
               std::size_t columns, std::string_view names, const CsvRow& row) {
  std::vector<std::string_view> fields;
  for (; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.empty()) continue;
    split(line, fields);
    if (fields.size() != columns)
      fail_at_line(file, number, "line", line, fmt::format("{} fields: {}", columns, names));
    row(number, fields);
  }
}

}  // namespace

std::string_view first_line(std::string_view text) { return take_line(text); }

void read_csv(const TraceFile& file, const CsvRow& row) {
  std::string_view rest = file.text;
  const std::string_view header = take_line(rest);
  std::vector<std::string_view> fields;
  split(header, fields);
  read_from(file, rest, 2, fields.size(), header, row);
}

void read_rows(const TraceFile& file, std::size_t columns, std::string_view names,
               const CsvRow& row) {
  read_from(file, file.text, 1, columns, names, row);
}

}  // namespace sim::market
