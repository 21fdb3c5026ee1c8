// A pattern that finds numbers and names in the lines of a log.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace base {

// A regular expression (ECMAScript's, as std::regex has it) whose groups may have names,
// (?<name>…).
class LinePattern {
 public:
  // Throws std::invalid_argument that says what is wrong with it.
  explicit LinePattern(const std::string& text);

  // What the group of that name caught, else, where none has it, the group of that number (from 1).
  class Match {
   public:
    std::optional<std::string> group(const std::string& name, std::size_t number) const;
    // Whether it reaches to the line's end, where a longer line might have more of a number.
    bool at_end() const { return at_end_; }

   private:
    friend LinePattern;
    bool at_end_ = false;
    std::map<std::string, std::string> named_;
    std::vector<std::string> groups_;
  };
  // Empty where no part of the line matches.
  std::optional<Match> find(const std::string& line) const;
  // Whether Match::group() could find anything.
  bool has(const std::string& name, std::size_t number) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::map<std::string, std::size_t> names_;  // and their groups' numbers
  struct Compiled;                            // <regex> is a lot to read
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace base
