#include "sim/cli/init/script_facts.h"

#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include "sim/cli/init/job_request.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

using Variables = std::map<std::string, std::string>;

std::string without_quotes(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\''; });
  return text;
}

// The text with the values of known variables: $NAME and ${NAME}.
std::string expanded(const std::string& text, const Variables& variables) {
  static const std::regex kUse(R"(\$(?:\{(\w+)\}|(\w+)))");
  std::string out;
  std::size_t from = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), kUse), end; at != end; ++at) {
    const auto known = variables.find((*at)[1].matched ? (*at)[1].str() : (*at)[2].str());
    const auto begin = static_cast<std::size_t>(at->position());
    out += text.substr(from, begin - from) + (known == variables.end() ? at->str() : known->second);
    from = begin + static_cast<std::size_t>(at->length());
  }
  return out + text.substr(from);
}

// Forgets the variables to which a line gives another value than plain text: those of NAME=,
// `for NAME in`, `read NAME` and `unset NAME`.
void forget_changed(const std::string& line, Variables& variables) {
  // The begin of a command, or a word after which one begins.
  static const std::string kCommand =
      R"re((?:^|[;&|({!]|\b(?:if|then|elif|else|while|until|do|IFS=\S*)\s)\s*)re";
  static const std::regex kSets(
      kCommand + R"re((?:(?:export|readonly|local|declare|typeset)\s+)?(?:-\w+\s+)*)re"
                 R"re(((?:\w+\+?=[^\s;&|]*\s*)+))re"),
      kSet(R"re((?:^|\s)(\w+)\+?=)re"), kGives(kCommand + R"re((?:read|unset|for)\b([^;&|<>]*))re");
  const auto each = [](const std::string& text, const std::regex& form, const auto& act) {
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
      act((*at)[1].str());
  };
  each(line, kSets, [&](const std::string& assignments) {
    each(assignments, kSet, [&](const std::string& name) { variables.erase(name); });
  });
  each(line, kGives, [&](const std::string& names) {
    std::istringstream words(names);
    for (std::string word; words >> word && word != "in";) variables.erase(word);
  });
}

// The variable that the line sets to plain text, and its value. An empty name: none.
std::pair<std::string, std::string> plain_assignment(const std::string& line) {
  static const std::regex kSet(R"re(^\s*(?:export +|readonly +|local +)?(\w+)=)re"
                               R"re(((?:"[^"`]*"|'[^']*'|[^\s"'`;&|()])*)\s*(?:#.*)?$)re");
  std::smatch set;
  if (!std::regex_match(line, set, kSet)) return {};
  std::string value = without_quotes(set[2].str());
  if (value.find('$') != value.npos) return {};
  return {set[1].str(), std::move(value)};
}

bool is_comment(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first == line.npos || line[first] == '#';
}

// The script's lines without comments, with the variables that it has set to plain text before.
std::vector<std::string> lines_of(const std::string& script) {
  Variables variables;
  std::vector<std::string> lines;
  std::istringstream in(script);
  for (std::string line; std::getline(in, line);) {
    if (is_comment(line)) continue;
    if (auto set = plain_assignment(expanded(line, variables)); !set.first.empty())
      variables.insert_or_assign(std::move(set.first), std::move(set.second));
    else
      forget_changed(line, variables);
    lines.push_back(expanded(line, variables));
  }
  return lines;
}

// `aws s3 cp FROM TO`, `sync` or `mv`.
struct Copy {
  std::string from, to;
  bool one_file = true;
};

std::vector<Copy> copies_in(const std::string& line) {
  static const std::regex kCopy(R"re(\bs3 (cp|sync|mv)((?: +[^\s;|&<>]+)+))re");
  std::vector<Copy> copies;
  for (std::sregex_iterator at(line.begin(), line.end(), kCopy), end; at != end; ++at) {
    Copy copy{.from = {}, .to = {}, .one_file = (*at)[1] != "sync"};
    std::istringstream words((*at)[2].str());
    std::vector<std::string> paths;
    for (std::string word; words >> word;) {
      copy.one_file &= word != "--recursive";
      if (!word.starts_with("--")) paths.push_back(without_quotes(word));
    }
    if (paths.size() < 2) continue;
    copy.from = paths[0], copy.to = paths[1];
    copies.push_back(std::move(copy));
  }
  return copies;
}

bool is_plain_uri(const std::string& path) {
  return path.starts_with("s3://") && path.find('$') == path.npos;
}

void add_copy(const Copy& copy, const fs::path& beside, ScriptFacts& facts) {
  if (is_plain_uri(copy.from) && copy.one_file) {
    const std::string name = fs::path(copy.from).filename().string();
    std::error_code ignored;
    if (!name.empty() && fs::is_regular_file(beside / name, ignored))
      facts.uploads[copy.from] = name;
  }
  if (!is_plain_uri(copy.to) || copy.from.starts_with("s3://") || copy.from == "-") return;
  std::string prefix = copy.to;
  if (copy.one_file) prefix.erase(prefix.rfind('/'));
  while (prefix.ends_with('/')) prefix.pop_back();
  if (prefix.size() > std::string("s3://").size()) facts.copies = prefix;
}

}  // namespace

ScriptFacts facts_of(const std::string& script, const fs::path& beside) {
  static const std::regex kEnter(R"re((?:^|[;&|] *|\s)cd +["']?(/[\w./-]+))re");
  ScriptFacts facts;
  for (const std::string& line : lines_of(script)) {
    facts.buckets.merge(buckets_in(line));
    for (const Copy& copy : copies_in(line)) add_copy(copy, beside, facts);
    for (std::sregex_iterator at(line.begin(), line.end(), kEnter), end; at != end; ++at)
      facts.folder = (*at)[1].str();
  }
  return facts;
}

}  // namespace sim::cli
