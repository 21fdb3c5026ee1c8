// Text in the columns of a terminal. It has no letters that are two columns wide.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sim::cli {

inline constexpr std::size_t kWidestLine = 110;

// How many columns it takes.
std::size_t text_width(const std::string& text);

// What is missing of so many columns; empty where the text has them.
std::string spaces(std::size_t columns, const std::string& text);

// With what is in the middle left out where it takes more columns, as names often differ at their
// ends.
std::string shortened(const std::string& text, std::size_t columns);

// A text's words on lines of at most so many columns, all but the first indented, each with its
// line feed; a word that is longer is shortened.
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
