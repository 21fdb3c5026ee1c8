// The one line on a terminal that shows how far a command is. Each drawing replaces the one before.
#pragma once

#include <chrono>
#include <string>

namespace sim::cli {

// Whether stderr is a terminal that can clear a line: TERM is not "dumb".
bool has_live_lines();

class LiveLine {
 public:
  // Draws nothing if `wanted` is false, or if stderr is a file or a pipe.
  explicit LiveLine(bool wanted = true);
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  bool shown() const { return shown_; }
  // True if the line is shown and this much real time has passed since the last drawing. Callers
  // ask before they make a text that takes long to compute.
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
