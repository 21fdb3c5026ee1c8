// What the manager answers to a systemctl, by the FIFO that it named (manager.h).
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/files/file_descriptor.h"

namespace sim::guest::services {

// The answer is complete when its last owner is destroyed.
class Answer {
 public:
  explicit Answer(const std::string& path)
      : to_(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Answer() { line('s', std::to_string(status_)); }

  void out(const std::string& text) { lines('o', text); }
  void error(const std::string& text, int status) {
    if (!text.empty()) lines('e', text);
    set(status);
  }
  void set(int status) { status_ = status != 0 ? status : status_; }

 private:
  void lines(char kind, const std::string& text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const auto end = std::min(text.find('\n', begin), text.size());
      line(kind, text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  void line(char kind, const std::string& text) {
    const std::string whole = kind + text + "\n";
    static_cast<void>(!write(to_.get(), whole.data(), whole.size()));
  }

  base::FileDescriptor to_;
  int status_ = 0;
};

}  // namespace sim::guest::services
