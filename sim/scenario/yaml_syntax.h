// What is wrong with a text that is no YAML, at the place where it goes wrong: yaml-cpp tells of a
// quote or a bracket that nobody closes where it ran out of text, or takes such a quote for closed.
#pragma once

#include <optional>
#include <string>

#include "sim/scenario/errors.h"

namespace sim::run {

struct SyntaxError {
  FilePosition place;
  std::string what;  // "found …, expected …", or yaml-cpp's own words
};

// The first mistake of a text's first document. A quoted text goes on over lines that are indented
// deeper than the mapping or list it is in (YAML 1.2.2, section 7.3); where a line is not, or the
// file ends, its quote was not closed.
std::optional<SyntaxError> syntax_error(const std::string& text);

}  // namespace sim::run
