// Styles of spotsim's messages on a terminal. Elsewhere they are plain text, byte for byte.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace sim::cli {

// The meaning of a text, which determines its style.
enum class Style { kError, kGood, kWarning, kHeading, kDim };

// Styles texts by their meaning, for one stream. Pad a text for its column before you style it,
// because escape sequences have no width.
class Styler {
 public:
  // Leaves all text unchanged.
  Styler() = default;
  // Uses colours if the stream is a terminal, TERM is not "dumb", and NO_COLOR is unset or empty
  // (https://no-color.org).
  explicit Styler(std::FILE* stream);

  // The text in that style. A final line feed comes after the style's end.
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
