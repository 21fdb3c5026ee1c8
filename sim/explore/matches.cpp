#include "sim/explore/matches.h"

#include <algorithm>
#include <cstddef>

namespace sim::explore {

std::vector<Match> matches_in(std::string_view text, const re2::RE2& form) {
  const re2::StringPiece whole(text.data(), text.size());
  const int groups = 1 + form.NumberOfCapturingGroups();
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(groups));
  std::vector<Match> all;
  std::size_t from = 0;
  while (from <= text.size() &&
         form.Match(whole, from, text.size(), re2::RE2::UNANCHORED, found.data(), groups)) {
    Match& match = all.emplace_back();
    for (const re2::StringPiece& group : found) match.emplace_back(group.data(), group.size());
    const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
    from = begin + std::max<std::size_t>(found[0].size(), 1);
  }
  return all;
}

}  // namespace sim::explore
