// Finds the cause of a syntax error in YAML, with its place. yaml-cpp reports an open quote or
// bracket only at the end of the text, or assumes that the quote is closed.
#pragma once

#include <optional>
#include <string>

#include "sim/scenario/errors.h"

namespace sim::scenario {

struct SyntaxError {
  FilePosition place;
  std::string what;  // "found …, expected …", or yaml-cpp's message
};

// The first mistake in a text's first document. Lines of a quoted text must be indented deeper than
// the enclosing mapping or list (YAML 1.2.2, section 7.3). If a line is not, or if the file ends,
// the quote was not closed.
std::optional<SyntaxError> syntax_error(const std::string& text);

}  // namespace sim::scenario
