// Arranges text in the columns of a terminal. It assumes that no character is two columns wide.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sim::cli {

inline constexpr std::size_t kWidestLine = 110;

// The number of columns that a text takes.
std::size_t text_width(const std::string& text);

// The blanks that fill a text to this number of columns; empty if it is long enough.
std::string spaces(std::size_t columns, const std::string& text);

// Shortens a long text in its middle, because names often differ at their ends.
std::string shortened(const std::string& text, std::size_t columns);

// Breaks a text into lines of at most this many columns. All lines but the first are indented, and
// each has a line feed. A longer word is shortened.
std::string wrapped(const std::string& text, std::size_t columns = kWidestLine,
                    const std::string& indent = "");

// A column of a table, as wide as its widest cell and at least this wide.
struct Column {
  enum class Side { kLeft, kRight };
  std::size_t least = 0;
  Side side = Side::kLeft;
};

// The rows as lines without line feeds: two blanks between columns, none at the end. A row has at
// most as many cells as there are columns.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                 const std::vector<Column>& columns);

}  // namespace sim::cli
