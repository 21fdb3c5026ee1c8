// The errors of one file, each at its line and column.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sim::run {

// A place in a file, from 1; {0, 0} is none, before all others.
struct FilePosition {
  int line = 1;
  int column = 1;
  auto operator<=>(const FilePosition&) const = default;
};

class Errors {
 public:
  explicit Errors(std::string file) : file_(std::move(file)) {}
  // "file:line:column: key: found …, expected …"
  void add(FilePosition place, const std::string& key, const std::string& found,
           const std::string& expected);
  // Any other message about a key.
  void add(FilePosition place, const std::string& key, const std::string& message);
  // Reports an unknown key. `path` is its whole path, `key` the mapping that has it.
  void add_unknown(FilePosition place, const std::string& path, const std::string& key,
                   const std::string& message);
  // A message that is complete.
  void add(std::string message);
  // From now on what is said of this key, and of what is in it, begins with `origin` in place of
  // the file, line and column.
  void attribute(std::string key, std::string origin);
  // The same, but this file takes the place of the errors' own: the key is at a line of it.
  void attribute_to_file(std::string key, std::string file);
  // The file that the key is in.
  const std::string& file_of(std::string_view key) const;
  // Takes back what was said of this key, because another message says the same.
  void withdraw(const std::string& key);

  // Whether something was said of this key or of what is in it, withdrawn or not: what follows from
  // it alone is not worth a message.
  bool about(std::string_view key) const;
  bool empty() const { return messages_.empty(); }
  // In the file's order; before them those of no place in it, in the order found.
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
  std::set<std::string> said_;  // keys
};

}  // namespace sim::run
