#include "sim/guest/process/progress/line_pattern.h"

#include <re2/re2.h>

#include <stdexcept>

namespace sim::guest {
namespace {

// Writes ECMAScript's (?<name>…) as RE2's (?P<name>…).
std::string with_re2_names(const std::string& text) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c;
    if (c == '\\' && i + 1 < text.size()) {
      out += text[++i];
    } else if (c == '[' || c == ']') {
      in_class = c == '[';
    } else if (c == '(' && !in_class && text.compare(i + 1, 2, "?<") == 0) {
      const char next = i + 3 < text.size() ? text[i + 3] : '\0';
      if (next == '=' || next == '!')
        throw std::invalid_argument("found a lookbehind, expected a regular expression without");
      out += "?P<";
      i += 2;
    }
  }
  return out;
}

std::string text_of(const re2::StringPiece& piece) {
  return piece.data() ? std::string(piece) : std::string();
}

}  // namespace

LinePattern::LinePattern(const std::string& text) : text_(text) {
  re2::RE2::Options options(re2::RE2::Latin1);
  options.set_log_errors(false);
  const auto compiled = std::make_shared<re2::RE2>(with_re2_names(text), options);
  if (!compiled->ok())
    throw std::invalid_argument("expected a regular expression: " + compiled->error());
  // RE2 accepts a name twice and means its first group.
  if (compiled->NamedCapturingGroups().size() < compiled->CapturingGroupNames().size())
    throw std::invalid_argument("found a group's name twice, expected each once");
  compiled_ = compiled;
}

bool LinePattern::has(const std::string& name, std::size_t number) const {
  const auto& names = compiled_->NamedCapturingGroups();
  return names.contains(name) ||
         (names.empty() &&
          number <= static_cast<std::size_t>(compiled_->NumberOfCapturingGroups()));
}

std::optional<LinePattern::Match> LinePattern::find(const std::string& line) const {
  std::vector<re2::StringPiece> found(
      static_cast<std::size_t>(compiled_->NumberOfCapturingGroups()) + 1);
  if (!compiled_->Match(line, 0, line.size(), re2::RE2::UNANCHORED, found.data(),
                        static_cast<int>(found.size())))
    return {};
  Match match;
  match.at_end_ = found.front().end() == line.data() + line.size();
  for (const re2::StringPiece& group : found) match.groups_.push_back(text_of(group));
  for (const auto& [name, number] : compiled_->NamedCapturingGroups())
    match.named_[name] = match.groups_[static_cast<std::size_t>(number)];
  return match;
}

std::optional<std::string> LinePattern::Match::group(const std::string& name,
                                                     std::size_t number) const {
  if (const auto at = named_.find(name); at != named_.end()) return at->second;
  if (!named_.empty() || number >= groups_.size()) return {};
  return groups_[number];
}

}  // namespace sim::guest
