// How spotsim's words look on a terminal. Elsewhere they are plain text, byte for byte.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace sim::cli {

// What a text is, not how it looks.
enum class Style { kError, kGood, kWarning, kHeading, kDim };

// Gives texts the style of what they are, for one stream. A text that stands in a column is padded
// before it is styled: what colours it has no width.
class Styler {
 public:
  // Leaves all text as it is.
  Styler() = default;
  // Colours where the stream is a terminal, TERM is not "dumb", and NO_COLOR is unset or empty
  // (https://no-color.org).
  explicit Styler(std::FILE* stream);

  // The text, in that style. A line feed at its end stays behind the style.
  std::string operator()(Style style, std::string_view text) const;

 private:
  bool coloured_ = false;
};

// Prints the heading of a table on stdout, a line with its line feed.
void print_heading(std::string_view line);

// Prints a message on stderr with a line feed. The head of each of its lines that is not indented
// (up to the first ": ": who says it, or the file, line and column that it is about) has the style.
void say(Style style, std::string_view message);

}  // namespace sim::cli
