// A pattern that finds numbers and names in the lines of a log.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace re2 {
class RE2;
}

namespace sim::guest {

// A regular expression that a user wrote, for example for `progress` in a scenario.
//
// RE2 matches it: the time is linear in the line's length, whatever the pattern is, because a
// pattern such as (a+)+ must not stop the simulator. The syntax is RE2's, and a group may also be
// named as in ECMAScript: (?<name>…). RE2 has no back-references and no lookaround.
// https://github.com/google/re2/wiki/Syntax
//
// Pattern and lines are bytes: a log may contain bytes that are not UTF-8.
class LinePattern {
 public:
  // Throws std::invalid_argument, which says what is wrong with the pattern.
  explicit LinePattern(const std::string& text);

  // One match in a line.
  class Match {
   public:
    // The text of the group of that name. If the pattern has no named groups: the text of the
    // group of that number, from 1 on. Empty if there is no such group.
    std::optional<std::string> group(const std::string& name, std::size_t number) const;
    // Whether the match reaches the line's end, where a longer line might continue a number.
    bool at_end() const { return at_end_; }

   private:
    friend LinePattern;
    bool at_end_ = false;
    std::map<std::string, std::string> named_;
    std::vector<std::string> groups_;
  };
  // The first match in the line; empty if there is none.
  std::optional<Match> find(const std::string& line) const;
  // Whether Match::group() can return a text for these arguments.
  bool has(const std::string& name, std::size_t number) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace sim::guest
