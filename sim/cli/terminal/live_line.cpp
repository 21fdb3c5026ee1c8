#include "sim/cli/terminal/live_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

// The terminal's width. 0: unknown.
std::size_t columns_of_terminal() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool moves_cursor(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

bool has_live_lines() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && std::string_view(term ? term : "") != "dumb";
}

LiveLine::LiveLine(bool wanted) : shown_(wanted && has_live_lines()) {}

bool LiveLine::due(std::chrono::nanoseconds between) const {
  return shown_ && std::chrono::steady_clock::now() - last_ >= between;
}

void LiveLine::draw(const std::string& text) {
  if (!shown_) return;
  std::string line = text;
  std::ranges::replace_if(line, moves_cursor, '?');
  // The last column stays empty, because some terminals wrap there.
  if (const std::size_t columns = columns_of_terminal(); columns > 1)
    line = shortened(line, columns - 1);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  last_ = std::chrono::steady_clock::now();
  drawn_ = true;
}

void LiveLine::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace sim::cli
