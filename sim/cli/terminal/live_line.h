// The one line on a terminal that shows how far a command is. Each drawing replaces the one before.
#pragma once

#include <chrono>
#include <string>

namespace sim::cli {

// Whether stderr is a terminal that can clear a line: TERM is not "dumb".
bool has_live_lines();

class LiveLine {
 public:
  // Draws nothing where it is not wanted, and in a file or a pipe.
  explicit LiveLine(bool wanted = true);
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  bool shown() const { return shown_; }
  // Whether the line is shown and so much real time has passed since the last drawing. A text that
  // costs much is made only then.
  bool due(std::chrono::nanoseconds between = std::chrono::milliseconds(100)) const;
  // Cuts the text to the terminal's width, because a line that wraps cannot be cleared. Characters
  // that would move the cursor are shown as "?".
  void draw(const std::string& text);
  // Removes the line, so that something else can be printed.
  void clear();

 private:
  bool shown_, drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace sim::cli
