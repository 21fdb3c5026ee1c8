// Regular expressions on scripts and consoles of users, whose lines may be of any length. With RE2,
// because std::regex needs a stack as deep as the text is long.
#pragma once

#include <re2/re2.h>

#include <string>
#include <string_view>
#include <vector>

namespace sim::explore {

// The groups of a match, parts of the text: the first is the whole match. A group that took no part
// in the match has no data().
using Match = std::vector<std::string_view>;

// The matches in the text, which do not overlap, from left to right.
std::vector<Match> matches_in(std::string_view text, const re2::RE2& form);

}  // namespace sim::explore
