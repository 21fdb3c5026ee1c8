// For tests: damaged files, on which a reader must not crash.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/random.h"

namespace sim::scenario {

// The text with one to six places changed, erased, doubled or replaced by characters with a meaning
// in YAML.
inline std::string mutated(std::string text, Stream& stream) {
  const std::string alphabet = "[]{}:,-&*!|>'\"#%@\n\t \\?~0aZ\xff\xc3";
  for (std::uint64_t edits = 1 + stream.below(6); edits > 0; --edits) {
    const std::size_t at = stream.below(text.size());
    const char c = alphabet[stream.below(alphabet.size())];
    switch (stream.below(4)) {
      case 0:
        text[at] = c;
        break;
      case 1:
        text.insert(at, 1 + stream.below(3), c);
        break;
      case 2:
        text.erase(at, 1 + stream.below(8));
        break;
      default:
        text.insert(at, text.substr(stream.below(text.size()), stream.below(40)));
    }
    if (text.empty()) text = "x";
  }
  return text;
}

// The text with one to three words replaced by another of its words, or by an unusual value.
inline std::string with_other_words(std::string text, Stream& stream) {
  constexpr const char* kEnds = " \n,:[]{}\"";
  const std::vector<std::string> odd{"0",         "-1",     "1",      "1ns", "1s",  "365d",
                                     "999999999", "1e17",   "1e-9",   "nan", "~",   "[]",
                                     "{}",        "[1, a]", "{a: 1}", "''",  "0.5", "x"};
  const auto word_at = [&](std::size_t at) {
    const std::size_t begin = text.find_first_not_of(kEnds, at);
    return begin == text.npos ? std::pair(at, std::size_t{0})
                              : std::pair(begin, text.find_first_of(kEnds, begin) - begin);
  };
  for (std::uint64_t edits = 1 + stream.below(2); edits > 0; --edits) {
    const auto [from, size] = word_at(stream.below(text.size()));
    const auto [begin, length] = word_at(stream.below(text.size()));
    const std::string word =
        stream.below(2) == 0 ? text.substr(from, size) : odd[stream.below(odd.size())];
    text.replace(begin, length, word);
  }
  return text;
}

}  // namespace sim::scenario
