#include "sim/explore/shell_lines.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace sim::explore {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_redirection(char c) { return c == '<' || c == '>'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

// The place of the quote that ends the quoted text before `from`, or the end of the line.
std::size_t end_of_quote(std::string_view line, std::size_t from, char quote) {
  for (std::size_t at = from; at < line.size(); ++at) {
    if (line[at] == quote) return at;
    if (line[at] == '\\' && quote == '"') ++at;
  }
  return line.size();
}

// Reads a line from its begin to its end.
class Reader {
 public:
  explicit Reader(std::string_view line) : line_(line) {}

  std::vector<ShellCommand> commands() {
    while (at_ < line_.size() && !(line_[at_] == '#' && !has_word_)) read_one();
    end_command();
    return std::move(commands_);
  }

 private:
  void read_one() {
    const char c = line_[at_];
    if (is_quote(c)) return quoted(c);
    ++at_;
    if (c == '\\') {
      if (at_ < line_.size()) add(line_[at_++]);
    } else if (c == '(' || c == ')') {
      parenthesis(c);
    } else if (in_word_ > 0) {
      add(c);
    } else if (is_blank(c)) {
      end_word();
    } else if (is_redirection(c)) {
      redirection();
    } else if (c == ';' || c == '&' || c == '|' || c == '`') {
      end_command();
    } else {
      add(c);
    }
  }

  void quoted(char quote) {
    const std::size_t end = end_of_quote(line_, at_ + 1, quote);
    has_word_ = true;
    word_ += line_.substr(at_ + 1, end - at_ - 1);
    at_ = std::min(end + 1, line_.size());
  }

  // One in a word belongs to it, as in $(date).
  void parenthesis(char c) {
    if (in_word_ > 0 || (c == '(' && has_word_)) {
      add(c);
      in_word_ += c == '(' ? 1 : -1;
      return;
    }
    end_command();
    depth_ = std::max(0, depth_ + (c == '(' ? 1 : -1));
  }

  // `2>file`, `>>file`, `2>&1`, `<file`
  void redirection() {
    if (std::ranges::all_of(word_, [](unsigned char c) { return std::isdigit(c) != 0; }))
      word_.clear(), has_word_ = false;
    end_word();
    while (at_ < line_.size() && (is_redirection(line_[at_]) || line_[at_] == '&')) ++at_;
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    skips_word_ = true;
  }

  void add(char c) {
    has_word_ = true;
    word_ += c;
  }

  void end_word() {
    if (has_word_ && !std::exchange(skips_word_, false)) words_.push_back(word_);
    word_.clear();
    has_word_ = false;
  }

  void end_command() {
    end_word();
    skips_word_ = false;
    if (!words_.empty()) commands_.push_back({std::exchange(words_, {}), depth_ > 0});
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::string word_;
  bool has_word_ = false;    // it may be empty, as ""
  bool skips_word_ = false;  // the next one is the file of a redirection
  int in_word_ = 0;          // open parentheses of the word
  int depth_ = 0;            // of subshells
  std::vector<std::string> words_;
  std::vector<ShellCommand> commands_;
};

bool takes_a_value(const std::string& option) {
  static const std::set<std::string, std::less<>> kOptions{
      "--acl", "--cache-control", "--checksum-algorithm", "--checksum-mode",
      "--content-disposition", "--content-encoding", "--content-language", "--content-type",
      "--copy-props", "--exclude", "--expected-size", "--expires", "--grants", "--include",
      "--metadata", "--metadata-directive", "--page-size", "--request-payer", "--source-region",
      "--sse", "--sse-c", "--sse-c-copy-source", "--sse-c-copy-source-key", "--sse-c-key",
      "--sse-kms-key-id", "--storage-class", "--website-redirect",
      // of all commands
      "--ca-bundle", "--cli-binary-format", "--cli-connect-timeout", "--cli-read-timeout",
      "--color", "--endpoint-url", "--output", "--profile", "--query", "--region"};
  return kOptions.contains(option);
}

std::string without_quotes(std::string text) {
  std::erase_if(text, is_quote);
  return text;
}

// Adds the copy of the command "s3 …".
void add_copy(const std::vector<std::string>& words, std::vector<S3Copy>& copies) {
  std::vector<std::string> given;  // the command and its paths
  bool recursive = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    recursive |= words[i] == "--recursive";
    if (!words[i].starts_with("--"))
      given.push_back(without_quotes(words[i]));
    else if (takes_a_value(words[i]) && i + 1 < words.size() && !words[i + 1].starts_with("--"))
      ++i;
  }
  if (given.size() < 3 || (given[0] != "cp" && given[0] != "sync" && given[0] != "mv")) return;
  copies.push_back(
      {.from = given[1], .to = given[2], .one_file = given[0] != "sync" && !recursive});
}

}  // namespace

std::vector<ShellCommand> shell_commands(std::string_view line) { return Reader(line).commands(); }

std::vector<S3Copy> s3_copies(std::string_view line) {
  std::vector<S3Copy> copies;
  std::size_t quoted_until = 0;  // 0: the place is not in quotes
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (at == quoted_until)
      quoted_until = 0;
    else if (quoted_until == 0 && is_quote(line[at]))
      quoted_until = end_of_quote(line, at + 1, line[at]);
    const bool begins = at == 0 || is_blank(line[at - 1]);
    if (!begins || !line.substr(at).starts_with("s3 ")) continue;
    const auto end = quoted_until == 0 ? line.npos : quoted_until - at;
    const auto commands = shell_commands(line.substr(at, end));
    if (!commands.empty()) add_copy(commands.front().words, copies);
  }
  return copies;
}

}  // namespace sim::explore
