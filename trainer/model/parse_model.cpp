#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "trainer/model/layer_syntax.h"
#include "trainer/model/model_text.h"

namespace spottrain {
namespace {

constexpr int kMostDepth = 16, kMostRepeats = 1000;
// The limit of layers, including rounds of repeat, so that any text is parsed in bounded time.
constexpr std::size_t kMostLayers = 10'000;

struct Word {
  std::string_view text;
  std::size_t line, column;  // from 1
};

using Line = std::vector<Word>;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The lines that have words. Text after a # is a comment.
std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view content = line.substr(0, line.find('#'));
    Line words;
    for (std::size_t at = 0; at < content.size();) {
      if (blank(content[at])) {
        ++at;
        continue;
      }
      const auto* const from = content.data() + at;
      const auto* const end = std::find_if(from, content.data() + content.size(), blank);
      words.push_back({std::string_view(from, end), number, at + 1});
      at += words.back().text.size();
    }
    if (!words.empty()) lines.push_back(std::move(words));
  }
  return lines;
}

// A word for a message, shortened and made printable.
std::string quoted(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + text + (word.size() > 40 ? "…'" : "'");
}

class Source {
 public:
  explicit Source(std::string file) : file_(std::move(file)) {}
  template <typename... Args>
  [[noreturn]] void fail(const Word& at, fmt::format_string<Args...> format, Args&&... args) const {
    throw std::invalid_argument(fmt::format("{}:{}:{}: {}", file_, at.line, at.column,
                                            fmt::format(format, std::forward<Args>(args)...)));
  }

 private:
  std::string file_;
};

// The words after a layer's keyword. Its fields take them one by one.
class LineReader {
 public:
  LineReader(const Source& source, const Line& line, int classes)
      : source_(source),
        first_(line.front()),
        words_(line.begin() + 1, line.end()),
        classes_(classes) {}

  template <typename Number>
  void value(std::string_view what, Number& field) {
    const Word word = take_value(what);
    field = number<Number>(word, word.text, what);
  }
  void outputs(int& field) {
    const Word word = take_value("outputs, or 'classes'");
    field = word.text == kClassesWord ? classes_
                                      : number<int>(word, word.text, "outputs, or 'classes'");
  }
  template <typename Number>
  void option(std::string_view key, Number& field, Number fallback) {
    const auto found = take(key);
    field = found ? number<Number>(found->word, found->value, key) : fallback;
  }
  void flag(std::string_view word, bool& field) {
    known_ += fmt::format(" {}", word);
    const auto found = std::ranges::find(words_, word, &Word::text);
    field = found != words_.end();
    if (field) words_.erase(found);
  }
  // The name from name=…, or else the automatic name.
  std::string name(std::string automatic) {
    const auto found = take(kName);
    if (!found) return automatic;
    const bool good = !found->value.empty() && found->value.size() <= 64 &&
                      std::ranges::all_of(found->value, [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                               (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
                      });
    if (!good) {
      source_.fail(found->word, "name {}, expected 1 to 64 letters, digits, '.', '_' or '-'",
                   quoted(found->value));
    }
    return std::string(found->value);
  }
  void end() const {
    if (words_.empty()) return;
    const std::string known = known_.empty() ? "the line's end" : "one of:" + known_;
    source_.fail(words_.front(), "{} after '{}', expected {}", quoted(words_.front().text),
                 first_.text, known);
  }

 private:
  struct Option {
    Word word;
    std::string_view value;
  };

  Word take_value(std::string_view what) {
    if (words_.empty() || words_.front().text.find('=') != std::string_view::npos) {
      source_.fail(first_, "{} alone, expected its {} after it", quoted(first_.text), what);
    }
    const Word word = words_.front();
    words_.erase(words_.begin());
    return word;
  }
  std::optional<Option> take(std::string_view key) {
    known_ += fmt::format(" {}=", key);
    const auto found = std::ranges::find_if(words_, [&](const Word& word) {
      return word.text.starts_with(key) && word.text.substr(key.size()).starts_with('=');
    });
    if (found == words_.end()) return {};
    const Option option{*found, found->text.substr(key.size() + 1)};
    words_.erase(found);
    return option;
  }
  template <typename Number>
  Number number(const Word& at, std::string_view text, std::string_view what) const {
    Number value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size()) {
      source_.fail(at, "{}, expected a {}number: {}", quoted(at.text),
                   std::is_integral_v<Number> ? "whole " : "", what);
    }
    return value;
  }

  const Source& source_;
  Word first_;
  std::vector<Word> words_;
  int classes_;
  std::string known_;
};

std::string known_words() {
  return []<typename... Kinds>(std::variant<Kinds...>*) {
    std::string words(kRepeat);
    ((words += fmt::format(", {}", LayerSyntax<Kinds>::word)), ...);
    return words;
  }(static_cast<decltype(Layer::kind)*>(nullptr));
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, int classes)
      : source_(file), lines_(lines_of(text)), classes_(classes) {}

  std::vector<Layer> model(ImageShape input) {
    if (lines_.empty()) source_.fail({"", 1, 1}, "no layers, expected one a line");
    Chain chain{.names = LayerNames(""), .shape = input, .layers = {}};
    block(chain, nullptr, 0);
    if (chain.shape != ImageShape{1, 1, classes_}) {
      source_.fail(lines_.back().front(),
                   "the model ends in {}×{}×{}, expected 1×1×{}: one value a class",
                   chain.shape.height, chain.shape.width, chain.shape.channels, classes_);
    }
    return std::move(chain.layers);
  }

 private:
  struct Chain {
    LayerNames names;
    ImageShape shape;  // after the layers so far
    std::vector<Layer> layers;
  };

  // Reads lines into a chain, up to the text's end, or to the `end` (or `shortcut`) of the line
  // that opened the block.
  void block(Chain& chain, const Word* opened, int depth) {
    for (; at_ < lines_.size(); ++at_) {
      const Word& word = lines_[at_].front();
      if (word.text == kEnd || word.text == kShortcut) {
        if (opened != nullptr && (word.text == kEnd || opened->text != kRepeat)) return;
        source_.fail(word, "{}, but nothing is open that it could end", quoted(word.text));
      }
      if (word.text == kRepeat) {
        repeat(chain, depth);
      } else {
        layer(chain, depth);
      }
    }
    if (opened != nullptr) source_.fail(*opened, "{} without its end", quoted(opened->text));
  }

  void repeat(Chain& chain, int depth) {
    const Word word = open(depth);
    int rounds = 0;
    LineReader line(source_, lines_[at_], classes_);
    line.value("rounds", rounds);
    line.end();
    if (rounds < 1 || rounds > kMostRepeats) {
      source_.fail(lines_[at_][1], "{} rounds, expected 1 to {}", rounds, kMostRepeats);
    }
    const std::size_t first = at_ + 1;
    for (int round = 0; round < rounds; ++round) {
      count(word);
      at_ = first;
      block(chain, &word, depth + 1);
    }
    close();
  }

  void layer(Chain& chain, int depth) {
    const Word word = lines_[at_].front();
    count(word);
    Layer layer;
    if (!read_kind(chain, layer)) {
      source_.fail(word, "{}, expected one of: {}", quoted(word.text), known_words());
    }
    if (!names_.insert(layer.name).second) {
      source_.fail(word, "a second layer named {}", layer.name);
    }
    if (auto* residual = std::get_if<Residual>(&layer.kind)) {
      open(depth);
      ++at_;
      residual->body = inner(word, layer.name + ".", chain.shape, depth);
      if (lines_[at_].front().text == kShortcut) {
        LineReader(source_, lines_[at_], classes_).end();
        ++at_;
        residual->shortcut = inner(word, layer.name + ".shortcut.", chain.shape, depth);
        if (lines_[at_].front().text == kShortcut) {
          source_.fail(lines_[at_].front(), "a second shortcut, expected end");
        }
      }
      close();
    }
    try {
      chain.shape = output_shape(layer, chain.shape);
    } catch (const std::invalid_argument& error) {
      source_.fail(word, "{}", error.what());
    }
    chain.layers.push_back(std::move(layer));
  }

  std::vector<Layer> inner(const Word& opened, std::string prefix, ImageShape shape, int depth) {
    Chain chain{.names = LayerNames(std::move(prefix)), .shape = shape, .layers = {}};
    block(chain, &opened, depth + 1);
    return std::move(chain.layers);
  }

  // Sets the layer's kind and name, if the table has a row for this line's word.
  bool read_kind(Chain& chain, Layer& layer) {
    return [&]<typename... Kinds>(std::variant<Kinds...>*) {
      return (read_if<Kinds>(chain, layer) || ...);
    }(&layer.kind);
  }
  template <typename Kind>
  bool read_if(Chain& chain, Layer& layer) {
    const Line& words = lines_[at_];
    if (words.front().text != LayerSyntax<Kind>::word) return false;
    Kind kind;
    LineReader line(source_, words, classes_);
    LayerSyntax<Kind>::fields(line, kind);
    layer.name = line.name(chain.names.next(LayerSyntax<Kind>::name));
    layer.kind = std::move(kind);
    line.end();
    return true;
  }

  const Word& open(int depth) const {
    const Word& word = lines_[at_].front();
    if (depth >= kMostDepth) source_.fail(word, "nested deeper than {}", kMostDepth);
    return word;
  }
  void close() const { LineReader(source_, lines_[at_], classes_).end(); }
  void count(const Word& word) {
    if (++count_ > kMostLayers) source_.fail(word, "more than {} layers", kMostLayers);
  }

  Source source_;
  std::vector<Line> lines_;
  int classes_;
  std::size_t at_ = 0;  // index of the current line
  std::size_t count_ = 0;
  std::set<std::string> names_;
};

}  // namespace

ModelDescription parse_model(std::string_view text, const std::string& file, ImageShape input,
                             int classes) {
  ModelDescription model{.name = std::filesystem::path(file).stem().string(),
                         .input = input,
                         .layers = Parser(text, file, classes).model(input)};
  try {
    tensors_of(model);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", file, error.what()));
  }
  return model;
}

}  // namespace spottrain
