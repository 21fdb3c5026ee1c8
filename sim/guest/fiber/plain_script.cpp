#include "sim/guest/fiber/plain_script.h"

#include <string_view>
#include <utility>

namespace sim::guest {
namespace {

// Characters with a meaning in bash outside quotes. '{', '}' and '!' only have one as separate
// words.
constexpr std::string_view kOperators = "|&;<>()";
constexpr std::string_view kExpansions = "$`*?[~{}!";
constexpr std::string_view kEscapedInQuotes = "$`\"\\\n";

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::vector<SimpleCommand> read() {
    while (at_ < text_.size()) next();
    end_command();
    return std::move(commands_);
  }

 private:
  void next() {
    const char c = text_[at_];
    if (c == '\n') {
      end_command();
      ++line_, ++at_;
    } else if (c == ' ' || c == '\t') {
      end_word();
      ++at_;
    } else if (c == '#' && !in_word_) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '\'') {
      single_quoted();
    } else if (c == '"') {
      double_quoted();
    } else if (c == '\\') {
      escaped();
    } else {
      plain(c);
    }
  }

  void plain(char c) {
    if (kOperators.find(c) != std::string_view::npos ||
        kExpansions.find(c) != std::string_view::npos) {
      refuse(std::string("found '") + c + "'");
    }
    if (c == '=' && command_.words.empty()) refuse("found an assignment");
    add(c);
    ++at_;
  }

  void escaped() {
    if (at_ + 1 == text_.size()) refuse("found a backslash at the end");
    const char c = text_[at_ + 1];
    at_ += 2;
    if (c == '\n') {
      ++line_;  // the command continues on the next line
    } else {
      add(c);
    }
  }

  void single_quoted() {
    const int begin = line_;
    begin_word();
    for (++at_; at_ < text_.size() && text_[at_] != '\''; ++at_) {
      if (text_[at_] == '\n') ++line_;
      add(text_[at_]);
    }
    close_quote(begin);
  }

  void double_quoted() {
    const int begin = line_;
    begin_word();
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      char c = text_[at_];
      if (c == '$' || c == '`') refuse(std::string("found '") + c + "'");
      if (c == '\\' && at_ + 1 < text_.size() &&
          kEscapedInQuotes.find(text_[at_ + 1]) != std::string_view::npos) {
        c = text_[++at_];
        if (c == '\n') {
          ++line_;
          continue;
        }
      }
      if (c == '\n') ++line_;
      add(c);
    }
    close_quote(begin);
  }

  void close_quote(int begin) {
    if (at_ == text_.size()) throw ScriptError(begin, "found a quote that is not closed");
    ++at_;
  }

  void begin_word() {
    if (!in_word_ && command_.words.empty()) command_.line = line_;
    in_word_ = true;
  }
  void add(char c) {
    begin_word();
    word_ += c;
  }
  void end_word() {
    if (in_word_) command_.words.push_back(std::exchange(word_, {}));
    in_word_ = false;
  }
  void end_command() {
    end_word();
    if (!command_.words.empty()) commands_.push_back(std::exchange(command_, {}));
  }
  [[noreturn]] void refuse(const std::string& found) const {
    throw ScriptError(line_, found + ", expected simple commands only, all that fiber guests take");
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool in_word_ = false;
  std::string word_;
  SimpleCommand command_;
  std::vector<SimpleCommand> commands_;
};

}  // namespace

std::vector<SimpleCommand> read_plain_script(const std::string& text) {
  return Reader(text).read();
}

}  // namespace sim::guest
