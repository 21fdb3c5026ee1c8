#include "sim/cli/terminal/text_columns.h"

#include <algorithm>
#include <sstream>

namespace sim::cli {
namespace {

// The beginning of a text, up to this number of columns.
std::string head_of(const std::string& text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at)
    if ((text[at] & 0xC0) != 0x80 && seen++ == columns) break;
  return text.substr(0, at);
}

}  // namespace

// Counts the first bytes of UTF-8's characters.
std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string spaces(std::size_t columns, const std::string& text) {
  return std::string(columns - std::min(columns, text_width(text)), ' ');
}

std::string shortened(const std::string& text, std::size_t columns) {
  if (text_width(text) <= columns) return text;
  std::string tail = text;
  const std::size_t end = (columns - 1) / 2;
  while (text_width(tail) > end) tail.erase(0, head_of(tail, 1).size());
  return head_of(text, columns - 1 - end) + "…" + tail;
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                 const std::vector<Column>& columns) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = columns[c].least;
    for (const auto& row : rows)
      if (c < row.size()) width = std::max(width, text_width(row[c]));
    widths.push_back(width);
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string fill = spaces(widths[c], row[c]);
      if (c > 0) line += "  ";
      line += columns[c].side == Column::Side::kRight ? fill + row[c] : row[c] + fill;
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

std::string wrapped(const std::string& text, std::size_t columns, const std::string& indent) {
  std::string all, line, word;
  bool begun = false;  // the line has a word
  for (std::istringstream words(text); words >> word; begun = true) {
    word = shortened(word, columns - indent.size());
    if (begun && text_width(line) + 1 + text_width(word) > columns)
      all += line + "\n", line = indent, begun = false;
    line += (begun ? " " : "") + word;
  }
  return all + line + "\n";
}

}  // namespace sim::cli
