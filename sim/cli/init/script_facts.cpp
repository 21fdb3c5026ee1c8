#include "sim/cli/init/script_facts.h"

#include <re2/re2.h>

#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cli/init/job_request.h"
#include "sim/explore/matches.h"
#include "sim/explore/shell_lines.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

using Variables = std::map<std::string, std::string>;

std::string without_quotes(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\''; });
  return text;
}

// Without dots, and without a slash at its end.
std::string without_slash(const fs::path& path) {
  std::string text = path.lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// The text with the values of known variables: $NAME and ${NAME}.
std::string expanded(const std::string& text, const Variables& variables) {
  static const re2::RE2 kUse(R"(\$(?:\{(\w+)\}|(\w+)))", re2::RE2::Latin1);
  std::string out;
  std::size_t from = 0;
  for (const explore::Match& use : explore::matches_in(text, kUse)) {
    const auto known = variables.find(std::string(use[1].empty() ? use[2] : use[1]));
    const auto begin = static_cast<std::size_t>(use[0].data() - text.data());
    out += text.substr(from, begin - from);
    out += known == variables.end() ? use[0] : std::string_view(known->second);
    from = begin + use[0].size();
  }
  return out + text.substr(from);
}

// Forgets the variables to which a line gives another value than plain text: those of NAME=,
// `for NAME in`, `read NAME` and `unset NAME`.
void forget_changed(const std::string& line, Variables& variables) {
  // The begin of a command, or a word after which one begins.
  static const std::string kCommand =
      R"re((?:^|[;&|({!]|\b(?:if|then|elif|else|while|until|do|IFS=\S*)\s)\s*)re";
  static const re2::RE2 kSets(
      kCommand + R"re((?:(?:export|readonly|local|declare|typeset)\s+)?(?:-\w+\s+)*)re"
                 R"re(((?:\w+\+?=[^\s;&|]*\s*)+))re",
      re2::RE2::Latin1),
      kSet(R"re((?:^|\s)(\w+)\+?=)re", re2::RE2::Latin1),
      kGives(kCommand + R"re((?:read|unset|for)\b([^;&|<>]*))re", re2::RE2::Latin1);
  const auto each = [](const std::string& text, const re2::RE2& form, const auto& act) {
    for (const explore::Match& match : explore::matches_in(text, form)) act(std::string(match[1]));
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
  static const re2::RE2 kSet(R"re(\s*(?:export +|readonly +|local +)?(\w+)=)re"
                             R"re(((?:"[^"`]*"|'[^']*'|[^\s"'`;&|()])*)\s*(?:#.*)?)re",
                             re2::RE2::Latin1);
  std::string name, value;
  if (!re2::RE2::FullMatch(line, kSet, &name, &value)) return {};
  value = without_quotes(value);
  if (value.find('$') != value.npos) return {};
  return {std::move(name), std::move(value)};
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
    for (std::string more; line.ends_with('\\') && std::getline(in, more);)
      line.replace(line.size() - 1, 1, more);
    if (auto set = plain_assignment(expanded(line, variables)); !set.first.empty())
      variables.insert_or_assign(std::move(set.first), std::move(set.second));
    else
      forget_changed(line, variables);
    lines.push_back(expanded(line, variables));
  }
  return lines;
}

bool is_plain_uri(const std::string& path) {
  return path.starts_with("s3://") && path.find('$') == path.npos;
}

// The prefix of an object's URI, or of a folder's, up to the first part with a variable. Empty: the
// bucket is unknown.
std::string prefix_of(std::string uri, bool one_file) {
  const std::size_t bucket = std::string_view("s3://").size();
  const std::size_t variable = uri.find('$');
  if (variable != uri.npos) uri.erase(variable);
  const std::size_t last = uri.rfind('/');
  if ((one_file || variable != uri.npos) && last != uri.npos && last >= bucket)
    uri.erase(last);
  else if (variable != std::string::npos)
    return "";
  while (uri.ends_with('/')) uri.pop_back();
  return uri.size() > bucket ? uri : "";
}

void add_copy(const explore::S3Copy& copy, const fs::path& beside, ScriptFacts& facts) {
  if (is_plain_uri(copy.from) && copy.one_file) {
    const std::string name = fs::path(copy.from).filename().string();
    std::error_code ignored;
    if (!name.empty() && fs::is_regular_file(beside / name, ignored))
      facts.uploads[copy.from] = name;
  }
  const bool from_variable = copy.from.starts_with('$');
  const bool to_bucket =
      copy.to.starts_with("s3://") || (copy.to.starts_with('$') && !from_variable);
  if (!to_bucket || copy.from.starts_with("s3://") || copy.from == "-") return;
  const fs::path source = from_variable ? fs::path(copy.from) : facts.folder / fs::path(copy.from);
  facts.copies.push_back({.source = without_slash(source),
                          .one_file = copy.one_file,
                          .prefix = prefix_of(copy.to, copy.one_file)});
}

// The folder after `cd` with these words. Empty: unknown.
std::string entered(const std::vector<std::string>& words, const std::string& before) {
  std::string to;
  for (std::size_t i = 1; i < words.size() && to.empty(); ++i)
    if (!words[i].starts_with('-')) to = words[i];
  const bool known = to.starts_with('/') || !before.empty();
  if (to.empty() || !known || to.find_first_of("$`~*") != to.npos) return "";
  return without_slash(fs::path(before) / to);
}

// A folder that a command in parentheses enters is left at their end.
void follow_folder(const std::string& line, std::string& folder) {
  static const std::set<std::string> kBefore{"if", "then", "else", "do", "{", "!"};
  for (const explore::ShellCommand& command : explore::shell_commands(line)) {
    std::vector<std::string> words = command.words;
    while (!words.empty() && kBefore.contains(words[0])) words.erase(words.begin());
    if (!words.empty() && words[0] == "cd" && !command.in_subshell) folder = entered(words, folder);
  }
}

// True if the path is in the folder or in one below.
bool is_in(const fs::path& path, const fs::path& folder) {
  const fs::path rest = path.lexically_relative(folder);
  return !rest.empty() && *rest.begin() != "..";
}

}  // namespace

ScriptFacts facts_of(const std::string& script, const fs::path& beside) {
  ScriptFacts facts;
  for (const std::string& line : lines_of(script)) {
    facts.buckets.merge(buckets_in(line));
    follow_folder(line, facts.folder);
    for (const explore::S3Copy& copy : explore::s3_copies(line)) add_copy(copy, beside, facts);
  }
  return facts;
}

std::set<std::string> copies_of(const std::string& checkpoint, const ScriptFacts& facts) {
  const fs::path path = (facts.folder / fs::path(checkpoint)).lexically_normal();
  std::set<std::string> of_folder, around, all;
  for (const CopyToBucket& copy : facts.copies) {
    all.insert(copy.prefix);
    if (checkpoint.empty()) continue;
    const fs::path source(copy.source);
    const bool like = source.extension() == path.extension() ||
                      source.filename().string().find('$') != std::string::npos;
    if (copy.one_file ? like && source.parent_path() == path.parent_path()
                      : source == path.parent_path())
      of_folder.insert(copy.prefix);
    if (!copy.one_file && is_in(path, source)) around.insert(copy.prefix);
  }
  return !of_folder.empty() ? of_folder : !around.empty() ? around : all;
}

}  // namespace sim::cli
