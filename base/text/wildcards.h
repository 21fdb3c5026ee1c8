// Texts with wildcards.
#pragma once

#include <string_view>

namespace base {

// kStar: `*` stands for any characters. kStarAndQuestionMark: `?` also stands for any one.
enum class Wildcards { kStar, kStarAndQuestionMark };

// Whether the whole text matches. A backslash makes the next character stand for itself. Goes back
// to the last `*` only, so the time is at most the product of both lengths.
bool matches_wildcards(std::string_view pattern, std::string_view text, Wildcards wildcards);

}  // namespace base
