#include "base/text/wildcards.h"

#include <cstddef>

namespace base {

bool matches_wildcards(std::string_view pattern, std::string_view text, Wildcards wildcards) {
  const bool has_question_mark = wildcards == Wildcards::kStarAndQuestionMark;
  std::size_t p = 0, t = 0, behind_star = pattern.npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      behind_star = ++p;
      resume = t;
      continue;
    }
    const bool escaped = p + 1 < pattern.size() && pattern[p] == '\\';
    const std::size_t literal = escaped ? p + 1 : p;
    const bool any_one = has_question_mark && !escaped && p < pattern.size() && pattern[p] == '?';
    if (any_one || (literal < pattern.size() && pattern[literal] == text[t])) {
      p = literal + 1;
      ++t;
    } else if (behind_star != pattern.npos) {
      p = behind_star;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

}  // namespace base
