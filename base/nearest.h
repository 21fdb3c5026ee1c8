// Telling what a misspelt word was to be.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace base {

// The candidate nearest to `word` by edit distance (Levenshtein's), the first of equals; empty when
// none is near enough to be what was meant, or the word is longer than 40 characters.
std::optional<std::string> nearest(std::string_view word, const std::set<std::string>& candidates);

}  // namespace base
