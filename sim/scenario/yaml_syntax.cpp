#include "sim/scenario/yaml_syntax.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace sim::scenario {
namespace {

FilePosition place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// The position after a node's tag and anchor.
std::size_t content_at(const std::string& text, std::size_t at) {
  while (at < text.size() && (text[at] == '!' || text[at] == '&'))
    at = text.find_first_not_of(" \t", std::min(text.find_first_of(" \t\r\n", at), text.size()));
  return at;
}

// True if a quoted text that begins here ends before a line with at most `indent` columns of
// indentation. Empty lines do not count.
bool is_closed(const std::string& text, std::size_t at, int indent) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '\n') {
      const std::size_t word = text.find_first_not_of(' ', at + 1);
      if (word == std::string::npos) return false;
      const bool empty = text[word] == '\n' || text[word] == '\r' || text[word] == '\t';
      if (!empty && static_cast<int>(word - at - 1) <= indent) return false;
    } else if (quote == '"' && text[at] == '\\' && next != '\n') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || next != quote) return true;
      ++at;
    }
  }
  return false;
}

// Follows yaml-cpp through a text: the open brackets, and whether all quotes were closed.
class Follower : public YAML::EventHandler {
 public:
  struct Block {
    YAML::Mark mark;
    bool flow;
    int indent;  // column of its keys or dashes; in a flow, of the enclosing block
  };

  explicit Follower(const std::string& text) : text_(text) {}
  const std::optional<SyntaxError>& error() const { return error_; }
  // The innermost block, if it is a flow.
  const Block* open_flow() const {
    return blocks_.empty() || !blocks_.back().flow ? nullptr : &blocks_.back();
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string&) override {
    const std::size_t at = content_at(text_, static_cast<std::size_t>(mark.pos));
    if (error_ || at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;
    if (is_closed(text_, at, indent())) return;
    const char quote = text_[at];
    error_ = {place_of(mark), fmt::format("found a {0} that is not closed, expected another {0} "
                                          "before the next key",
                                          quote)};
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    open(mark, style);
  }
  void OnSequenceEnd() override { blocks_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    open(mark, style);
  }
  void OnMapEnd() override { blocks_.pop_back(); }

 private:
  int indent() const { return blocks_.empty() ? -1 : blocks_.back().indent; }
  void open(const YAML::Mark& mark, YAML::EmitterStyle::value style) {
    const bool flow = style == YAML::EmitterStyle::Flow;
    blocks_.push_back({mark, flow, flow ? indent() : mark.column});
  }

  const std::string& text_;
  std::vector<Block> blocks_;
  std::optional<SyntaxError> error_;
};

std::string line_of(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(lines, line);
  return line;
}

std::optional<SyntaxError> indenting_tab(const std::string& text, int number) {
  const std::string line = line_of(text, number);
  const std::size_t tab = line.find('\t');
  if (tab >= line.find_first_not_of(" -\t")) return {};
  return SyntaxError{{number, static_cast<int>(tab) + 1},
                     "found a tab, expected spaces: YAML does not allow tabs as indentation"};
}

SyntaxError in_words(const YAML::ParserException& error, const std::string& text,
                     const Follower& follower) {
  const FilePosition place = place_of(error.mark);
  if (const auto tab = indenting_tab(text, place.line)) return *tab;
  const std::string& said = error.msg;
  if (const auto* flow = follower.open_flow()) {
    const FilePosition opened = place_of(flow->mark);
    const auto at = content_at(text, static_cast<std::size_t>(flow->mark.pos));
    const char bracket = at < text.size() ? text[at] : '\0', end = bracket == '[' ? ']' : '}';
    if (said == YAML::ErrorMsg::END_OF_MAP_FLOW || said == YAML::ErrorMsg::END_OF_SEQ_FLOW)
      return {opened, fmt::format("found a {} that is not closed, expected a {}, or a comma "
                                  "between its parts",
                                  bracket, end)};
    if (said == YAML::ErrorMsg::FLOW_END)
      return {place, fmt::format("found another bracket, expected a {} for the {} at {}:{}", end,
                                 bracket, opened.line, opened.column)};
  }
  if (said == YAML::ErrorMsg::MAP_VALUE)
    return {place,
            "found a colon where no value can begin, expected one `key: value` a line (the line "
            "before may lack its colon; a text with a colon in it needs quotes)"};
  if (said == YAML::ErrorMsg::END_OF_MAP || said == YAML::ErrorMsg::END_OF_SEQ)
    return {place,
            fmt::format(
                "found text that is not part of the {} before it, expected the same indentation",
                said == YAML::ErrorMsg::END_OF_MAP ? "mapping" : "list")};
  return {place, said};
}

}  // namespace

std::optional<SyntaxError> syntax_error(const std::string& all) {
  // Marks do not count a byte order mark. A missing final newline would hide an open quote.
  const std::string text = all.substr(all.starts_with("\xEF\xBB\xBF") ? 3 : 0) + '\n';
  std::istringstream stream(text);
  Follower follower(text);
  try {
    YAML::Parser(stream).HandleNextDocument(follower);
  } catch (const YAML::ParserException& error) {
    return follower.error() ? follower.error() : in_words(error, text, follower);
  }
  return follower.error();
}

}  // namespace sim::scenario
