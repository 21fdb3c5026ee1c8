// How spotsim's words look on a terminal. Elsewhere they are plain text, byte for byte.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace sim::cli {

// What a text is, not how it looks.
enum class Style { kError, kGood, kWarning, kHeading, kDim };

// Styles texts by their meaning, for one stream. Pad a text for its column before you style it,
// because escape sequences have no width.
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

// Prints a message and a line feed on stderr. The head of each line that is not indented gets the
// style. The head is the text up to the first ": ", for example the program's name or a file, line
// and column.
void say(Style style, std::string_view message);

}  // namespace sim::cli
