#include "base/line_pattern.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <stdexcept>
#include <utility>

namespace base {
namespace {

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// Takes the names out of the groups, (?<name>…) → (…), for std::regex has none.
std::string without_names(const std::string& text, std::map<std::string, std::size_t>& names) {
  std::string out;
  std::size_t groups = 0;
  bool in_class = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c;
    if (c == '\\' && i + 1 < text.size()) {
      out += text[++i];
    } else if (c == '[' || c == ']') {
      in_class = c == '[';
    } else if (c == '(' && !in_class) {
      const bool plain = i + 1 >= text.size() || text[i + 1] != '?';
      const bool named = text.compare(i + 1, 2, "?<") == 0;
      groups += plain || named;
      if (!named) continue;
      if (text.compare(i + 3, 1, "=") == 0 || text.compare(i + 3, 1, "!") == 0)
        throw std::invalid_argument("found a lookbehind, expected a regular expression without");
      const std::size_t end = text.find('>', i);
      if (end == std::string::npos)
        throw std::invalid_argument("a group's name does not end, expected (?<name>…)");
      const std::string name = text.substr(i + 3, end - i - 3);
      if (!is_name(name))
        throw std::invalid_argument("found a group named '" + name +
                                    "', expected letters, digits and _");
      if (!names.emplace(name, groups).second)
        throw std::invalid_argument("found two groups named '" + name + "', expected one");
      i = end;
    }
  }
  return out;
}

}  // namespace

struct LinePattern::Compiled {
  std::regex regex;
};

LinePattern::LinePattern(const std::string& text) : text_(text) {
  const std::string plain = without_names(text, names_);
  try {
    compiled_ = std::make_shared<Compiled>(
        Compiled{std::regex(plain, std::regex::ECMAScript | std::regex::optimize)});
  } catch (const std::regex_error& error) {
    throw std::invalid_argument("no regular expression: " + std::string(error.what()));
  }
}

bool LinePattern::has(const std::string& name, std::size_t number) const {
  return names_.contains(name) || (names_.empty() && number <= compiled_->regex.mark_count());
}

std::optional<LinePattern::Match> LinePattern::find(const std::string& line) const {
  std::smatch found;
  if (!std::regex_search(line, found, compiled_->regex)) return {};
  Match match;
  match.at_end_ = found.suffix().length() == 0;
  for (const auto& group : found) match.groups_.push_back(group.str());
  for (const auto& [name, number] : names_) match.named_[name] = match.groups_[number];
  return match;
}

std::optional<std::string> LinePattern::Match::group(const std::string& name,
                                                     std::size_t number) const {
  if (const auto at = named_.find(name); at != named_.end()) return at->second;
  if (!named_.empty() || number >= groups_.size()) return {};
  return groups_[number];
}

}  // namespace base
