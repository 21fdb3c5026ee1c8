#include "sim/run/script_commands.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

namespace sim::run {
namespace {

using Words = std::set<std::string, std::less<>>;

const Words kBeforeCommands{"!",  "{",  "}",    "if",   "then",  "elif",  "else",
                            "fi", "do", "done", "time", "while", "until", "coproc"};
const Words kBuiltins{":",       ".",      "source",  "exec",    "command", "[",         "alias",
                      "bg",      "break",  "builtin", "caller",  "cd",      "compgen",   "continue",
                      "declare", "dirs",   "disown",  "echo",    "enable",  "eval",      "exit",
                      "export",  "false",  "fc",      "fg",      "getopts", "hash",      "help",
                      "history", "jobs",   "kill",    "let",     "local",   "logout",    "mapfile",
                      "popd",    "printf", "pushd",   "pwd",     "read",    "readarray", "readonly",
                      "return",  "set",    "shift",   "shopt",   "suspend", "test",      "times",
                      "trap",    "true",   "type",    "typeset", "ulimit",  "umask",     "unalias",
                      "unset",   "wait"};
// The command stands behind it.
const Words kPrefixes{"sudo", "exec", "nohup", "env", "setsid"};
// Ask whether something is there: a script that asks can do without.
const Words kQuestions{"[", "test", "command", "which", "type", "hash"};
// May bring programs: what is called after it may be one of these.
const Words kBringers{".",     "source",
                      "apt",   "apt-get",
                      "bash",  "cargo",
                      "conda", "dnf",
                      "dpkg",  "gem",
                      "make",  "npm",
                      "pip",   "pip3",
                      "rpm",   "sh",
                      "snap",  "virtualenv",
                      "tar",   "unzip",
                      "yum",   "amazon-linux-extras"};

constexpr int kDeepest = 100;

struct Word {
  std::string text;
  bool literal = true;  // holds no variable, substitution or pattern
  bool quoted = false;
  int line = 1;
};

bool ends_word(char c) {
  return std::string_view(" \t\n;&|()<>").find(c) != std::string_view::npos;
}

bool is_name(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// The variable that a word assigns: "PATH" of PATH=…, of PATH+=… and of PATH[0]=….
std::string assigned(const std::string& word) {
  const auto equals = word.find('=');
  if (equals == std::string::npos) return {};
  std::string name = word.substr(0, equals);
  if (name.ends_with('+')) name.pop_back();
  if (const auto bracket = name.find('['); bracket != std::string::npos) name.resize(bracket);
  return is_name(name) ? name : "";
}

class ScriptReader {
 public:
  explicit ScriptReader(const std::string& text) : text_(text) {}

  std::vector<ScriptCommand> read() {
    while (at_ < text_.size()) {
      read_list();
      if (at_ < text_.size()) ++at_;  // a ')' of its own
    }
    std::erase_if(found_, [this](const auto& c) { return known_.contains(c.word); });
    return found_;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  // Reading goes forward only: each line end is counted once.
  int line() {
    for (const std::size_t end = std::min(at_, text_.size()); counted_ < end; ++counted_)
      line_ += text_[counted_] == '\n';
    return line_;
  }

  // What stands in a substitution, with its ')'. Nobody writes so many in one another.
  void read_substitution() {
    if (++depth_ > kDeepest) at_ = text_.size();
    read_list();
    ++at_;
    --depth_;
  }

  // Commands up to the end, or to the ')' that closes what is being read.
  void read_list() {
    int open = 0;
    std::size_t cases = 0;
    bool pattern = false, first = true, prefixed = false;
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || starts("\\\n")) {
        at_ += c == '\\' ? 2 : 1;
      } else if (c == '#') {
        skip_line();
      } else if (c == '\n') {
        ++at_;
        skip_here_documents();
        first = true, prefixed = false;
      } else if (pattern) {
        if (starts("esac")) {
          pattern = false;
          --cases;
          at_ += 4;
        } else {
          skip_to_closing(')');
          pattern = false, first = true, prefixed = false;
        }
      } else if (starts(";;") || starts(";&")) {
        at_ += starts(";;&") ? 3 : 2;
        pattern = cases > 0;
      } else if (first && starts("((")) {
        skip_arithmetic();
      } else if (c == '<' || c == '>' || starts("&>")) {
        skip_redirection();
      } else if (c == ')') {
        if (open == 0) return;
        --open, ++at_;
      } else if (c == ';' || c == '&' || c == '|' || c == '(') {
        open += c == '(';
        ++at_;
        first = true, prefixed = false;
      } else {
        const Word word = read_word();
        if (first || prefixed)
          first = take(word, prefixed);
        else
          take_argument(word);
        if (word.text == "case" && !word.quoted && in_case_) pattern = true, ++cases;
        if (word.text == "esac" && cases > 0 && !word.quoted) --cases;
        in_case_ = false;
      }
    }
  }

  // A word where a command begins, or behind one of the prefixes; true where a command may still
  // follow.
  bool take(const Word& word, bool& prefixed) {
    if (prefixed && word.text.starts_with('-')) {
      if (word.text.ends_with('u') || word.text.ends_with('g')) skip_value();
      return false;
    }
    if ((peek() == '<' || peek() == '>') &&
        word.text.find_first_not_of("0123456789") == std::string::npos)
      return !prefixed;
    if (const std::string name = assigned(word.text); !name.empty()) {
      stopped_ = stopped_ || name == "PATH";
      if (peek() == '(') skip_array();
      return !prefixed;
    }
    if (!word.quoted && kBeforeCommands.contains(word.text)) {
      if (word.text == "time") skip_options();
      return true;
    }
    prefixed = false;
    if (!word.literal) return false;
    if (word.text == "case") return read_case();
    if (word.text == "for" || word.text == "select") return skip_for();
    if (word.text == "[[") return skip_test();
    if (word.text == "function") {
      skip_blanks();
      known_.insert(read_word().text);
      return true;
    }
    if (starts("()") || starts(" ()")) {
      known_.insert(word.text);
      at_ = text_.find(')', at_) + 1;
      return true;
    }
    if (word.text == "esac") return false;
    note(word);
    prefixed = kPrefixes.contains(word.text);
    return false;
  }

  void note(const Word& word) {
    asks_ = kQuestions.contains(word.text);
    if (!stopped_ && !kBuiltins.contains(word.text) && !word.text.empty())
      found_.push_back({word.text, word.line});
    stopped_ = stopped_ || kBringers.contains(word.text);
  }
  void take_argument(const Word& word) {
    if (asks_) known_.insert(word.text);
    stopped_ = stopped_ || assigned(word.text) == "PATH" || word.text == "venv" ||
               word.text.ends_with("/bin") || word.text.find("/bin/") != std::string::npos;
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || starts("\\\n")) at_ += peek() == '\\' ? 2 : 1;
  }
  void skip_value() {
    skip_blanks();
    read_word();
  }
  void skip_options() {
    for (skip_blanks(); peek() == '-'; skip_blanks()) read_word();
  }
  // "case WORD in": patterns follow.
  bool read_case() {
    skip_value();
    skip_blanks();
    while (peek() == '\n') ++at_, skip_blanks();
    in_case_ = read_word().text == "in";
    return false;
  }
  // "for NAME in WORDS": up to its end.
  bool skip_for() {
    skip_blanks();
    if (starts("((")) return skip_arithmetic(), true;
    skip_value();
    return false;
  }
  bool skip_test() {
    while (at_ < text_.size()) {
      if (ends_word(peek())) {
        ++at_;
      } else {
        const Word word = read_word();
        if (word.text == "]]") break;
        known_.insert(word.text);
      }
    }
    return false;
  }
  void skip_array() {
    ++at_;
    while (at_ < text_.size() && peek() != ')') {
      if (peek() == '#') skip_line();
      if (ends_word(peek()))
        ++at_;
      else
        read_word();
    }
    ++at_;
  }
  void skip_arithmetic() {
    const auto end = text_.find("))", at_);
    at_ = end == std::string::npos ? text_.size() : end + 2;
  }
  void skip_to_closing(char end) {
    while (at_ < text_.size() && peek() != end) {
      if (peek() == '\'' || peek() == '"' || peek() == '\\')
        read_word();
      else
        ++at_;
    }
    ++at_;
  }

  void skip_redirection() {
    if ((starts("<(") || starts(">("))) {
      at_ += 2;
      return read_substitution();
    }
    const bool here = starts("<<") && !starts("<<<");
    const bool tabs = starts("<<-");
    while (peek() == '<' || peek() == '>' || peek() == '&' || peek() == '|') ++at_;
    if (tabs) ++at_;
    skip_blanks();
    if (peek() == '(' || peek() == '\n') return;
    const Word word = read_word();
    if (here) here_documents_.push_back({word.text, tabs});
  }
  void skip_here_documents() {
    for (const auto& [delimiter, tabs] : here_documents_) {
      while (at_ < text_.size()) {
        const std::size_t begin = at_;
        skip_line();
        std::string line = text_.substr(begin, at_ - begin);
        if (at_ < text_.size()) ++at_;
        if (tabs) line.erase(0, line.find_first_not_of('\t'));
        if (line == delimiter) break;
      }
    }
    here_documents_.clear();
  }

  Word read_word() {
    Word word{.text = {}, .literal = true, .quoted = false, .line = line()};
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_word(peek())) {
      const char c = peek();
      if (c == '\'') {
        word.quoted = true;
        const auto end = std::min(text_.find('\'', at_ + 1), text_.size());
        word.text += text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
      } else if (c == '"') {
        word.quoted = true;
        read_quoted(word);
      } else if (c == '\\') {
        word.text += peek(1);
        at_ += 2;
      } else if (c == '$' || c == '`') {
        read_expansion(word);
      } else {
        if (c == '*' || c == '?' || c == '~') word.literal = false;
        word.text += c;
        ++at_;
      }
    }
    if (at_ == begin) ++at_;  // whatever it is
    at_ = std::min(at_, text_.size());
    return word;
  }
  void read_quoted(Word& word) {
    ++at_;
    while (at_ < text_.size() && peek() != '"') {
      if (peek() == '\\') {
        word.text += peek(1);
        at_ += 2;
      } else if (peek() == '$' || peek() == '`') {
        read_expansion(word);
      } else {
        word.text += text_[at_++];
      }
    }
    ++at_;
  }
  // $NAME, ${…}, $(…), $((…)), `…`: commands in them are read, too.
  void read_expansion(Word& word) {
    word.literal = false;
    if (starts("$((")) {
      skip_arithmetic();
    } else if (starts("$(")) {
      at_ += 2;
      read_substitution();
    } else if (starts("${")) {
      ++at_;
      int open = 0;
      do {
        open += peek() == '{';
        open -= peek() == '}';
        ++at_;
      } while (at_ < text_.size() && open > 0);
    } else if (peek() == '`') {
      at_ = std::min(text_.find('`', at_ + 1), text_.size() - 1) + 1;
    } else {
      ++at_;
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;  // up to here line ends are counted
  int line_ = 1;             // there
  int depth_ = 0;            // of substitutions
  bool stopped_ = false;
  bool in_case_ = false;
  bool asks_ = false;
  std::vector<std::pair<std::string, bool>> here_documents_;  // delimiter; its tabs do not count
  std::set<std::string> known_;  // the script's functions, and what it asks for
  std::vector<ScriptCommand> found_;
};

}  // namespace

std::vector<ScriptCommand> commands_of(const std::string& script) {
  return ScriptReader(script).read();
}

}  // namespace sim::run
