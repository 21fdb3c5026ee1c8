#include "policies/checkpoint/words.h"

#include <optional>
#include <stdexcept>
#include <utility>

namespace policies {
namespace {

// Goes through a text character by character.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // The next character that is no quote, and whether it stands for itself.
  struct Read {
    char character;
    bool literal;
  };
  std::optional<Read> next() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote_ != '\'' && c == '\\' && at_ + 1 < text_.size()) {
        at_ += 2;
        return Read{text_[at_ - 1], true};
      }
      const bool quotes = c == '\'' || c == '"';
      if (!quotes || (quote_ != 0 && quote_ != c)) {
        ++at_;
        return Read{c, quote_ != 0};
      }
      quote_ = quote_ == 0 ? c : '\0';
      quoted_ = true;
    }
    return {};
  }
  std::size_t place() const { return at_; }
  bool in_quotes() const { return quote_ != 0; }
  // Whether a quote was seen since the last call.
  bool take_quoted() { return std::exchange(quoted_, false); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  char quote_ = 0;
  bool quoted_ = false;
};

}  // namespace

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  Reader reader(text);
  while (const auto read = reader.next()) {
    if (read->literal || read->character != ',') continue;
    parts.push_back(text.substr(begin, reader.place() - 1 - begin));
    begin = reader.place();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;  // also by quotes with nothing between
  const auto finish = [&] {
    if (begun) words.push_back(std::exchange(word, {}));
    begun = false;
  };
  Reader reader(text);
  while (const auto read = reader.next()) {
    begun |= reader.take_quoted();
    if (!read->literal && (read->character == ' ' || read->character == '\t')) {
      finish();
    } else {
      word += read->character;
      begun = true;
    }
  }
  if (reader.in_quotes()) throw std::invalid_argument("expected an end of the quotes");
  begun |= reader.take_quoted();
  finish();
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace policies
