// Collects the errors of one file, each with its line and column. Readers add all errors, and the
// caller throws them together.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sim::scenario {

// A position in a file, counted from 1. {0, 0} means none and sorts before all others.
struct FilePosition {
  int line = 1;
  int column = 1;
  auto operator<=>(const FilePosition&) const = default;
};

// Owns the messages about one file and the files that it is based on. Readers share one object, so
// that a user sees all errors at once.
class Errors {
 public:
  explicit Errors(std::string file) : file_(std::move(file)) {}
  // "file:line:column: key: found …, expected …"
  void add(FilePosition place, const std::string& key, const std::string& found,
           const std::string& expected);
  // Adds any other message about a key.
  void add(FilePosition place, const std::string& key, const std::string& message);
  // Reports an unknown key. `path` is the key's full path, and `key` is the mapping that contains
  // it.
  void add_unknown(FilePosition place, const std::string& path, const std::string& key,
                   const std::string& message);
  // Adds a complete message.
  void add(std::string message);
  // From now on, messages about this key and its content begin with `origin` instead of file, line
  // and column.
  void attribute(std::string key, std::string origin);
  // The same for another file: the key is at a line of that file.
  void attribute_to_file(std::string key, std::string file);
  // The file that contains the key.
  const std::string& file_of(std::string_view key) const;
  // Removes messages about this key, because another message replaces them.
  void withdraw(const std::string& key);

  // True if any message was about this key or its content, even if it was removed. Errors that
  // follow from a reported key need no message.
  bool about(std::string_view key) const;
  bool empty() const { return messages_.empty(); }
  // All messages in the file's order. Messages without a position come first, in the order in which
  // they were added.
  std::vector<std::string> messages() const;

 private:
  struct Message {
    FilePosition place;
    std::string key, text;
  };
  struct Origin {
    std::string key, text;
    bool is_file = false;
  };
  const Origin* origin_of(std::string_view path) const;

  std::string file_;
  std::vector<Origin> origins_;
  std::vector<Message> messages_;
  std::set<std::string> said_;  // keys with messages
};

}  // namespace sim::scenario
