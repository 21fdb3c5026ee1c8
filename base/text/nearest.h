// Telling what a misspelt word was to be.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace base {

// The candidate nearest to `word` by edit distance (Levenshtein's); of equal ones, the first. Empty
// if no candidate is near enough, or if the word is longer than 40 characters.
std::optional<std::string> nearest(std::string_view word, const std::set<std::string>& candidates);

}  // namespace base
