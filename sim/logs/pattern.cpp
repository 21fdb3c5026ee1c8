#include "sim/logs/pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"

namespace sim::logs {
namespace {

using cloud::ApiError;

constexpr std::string_view kBlanks = " \t\r\n";

bool contains(std::string_view message, std::string_view term) {
  return message.find(term) != message.npos;
}

bool is_of_term(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c & 0x80) != 0;
}

// Removes the quoted phrase from the front of `text`; a backslash escapes the next character.
std::string take_phrase(std::string_view& text) {
  std::string phrase;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return phrase;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    phrase += text[i];
  }
  throw ApiError("InvalidParameterException", "Invalid filter pattern: found no closing quote");
}

std::string take_term(std::string_view& text) {
  if (text.starts_with('"')) return take_phrase(text);
  const std::string_view word = text.substr(0, std::min(text.find_first_of(kBlanks), text.size()));
  const auto wrong = std::ranges::find_if_not(word, is_of_term);
  if (word.empty() || wrong != word.end())
    throw ApiError("InvalidParameterException",
                   fmt::format("Invalid character(s) in term '{}'",
                               word.empty() ? "" : std::string(1, *wrong)));
  text.remove_prefix(word.size());
  return std::string(word);
}

}  // namespace

bool Pattern::matches(std::string_view message) const {
  const auto in_message = [&](const std::string& term) { return contains(message, term); };
  if (std::ranges::any_of(excluded, in_message)) return false;
  if (!included.empty()) return std::ranges::all_of(included, in_message);
  return !excluded.empty() || optional.empty() || std::ranges::any_of(optional, in_message);
}

Pattern parse_pattern(std::string_view text) {
  Pattern pattern;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return pattern;
    const bool first = pattern.included.empty() && pattern.excluded.empty();
    if (first && (text.front() == '{' || text.front() == '[' || text.front() == '%'))
      throw ApiError("UnsupportedOperation",
                     "Filter patterns for JSON, for fields and of regular expressions are not part "
                     "of this simulated AWS: expected terms");
    auto* into = &pattern.included;
    if (text.front() == '?') into = &pattern.optional;
    if (text.front() == '-') into = &pattern.excluded;
    if (into != &pattern.included) text.remove_prefix(1);
    into->push_back(take_term(text));
  }
}

}  // namespace sim::logs
