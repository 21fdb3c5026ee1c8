#include "sim/cli/terminal/terminal_style.h"

#include <fmt/color.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace sim::cli {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool shows_colours(std::FILE* stream) {
  return isatty(fileno(stream)) == 1 && environment("TERM") != "dumb" &&
         environment("NO_COLOR").empty();
}

// Colours of the terminal's own palette, because these fit the background.
fmt::text_style look_of(Style style) {
  switch (style) {
    case Style::kError:
      return fmt::fg(fmt::terminal_color::red) | fmt::emphasis::bold;
    case Style::kGood:
      return fmt::fg(fmt::terminal_color::green);
    case Style::kWarning:
      return fmt::fg(fmt::terminal_color::yellow);
    case Style::kHeading:
      return fmt::emphasis::bold;
    case Style::kDim:
      return fmt::emphasis::faint;
  }
  return {};
}

// Styles the head of one line.
std::string with_head(const Styler& styled, Style style, std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (line.starts_with(' ') || colon == line.npos) return std::string(line);
  return styled(style, line.substr(0, colon + 1)) + std::string(line.substr(colon + 1));
}

}  // namespace

Styler::Styler(std::FILE* stream) : coloured_(shows_colours(stream)) {}

std::string Styler::operator()(Style style, std::string_view text) const {
  if (!coloured_) return std::string(text);
  const bool line_feed = text.ends_with('\n');
  if (line_feed) text.remove_suffix(1);
  return fmt::format(look_of(style), "{}", text) + (line_feed ? "\n" : "");
}

void print_heading(std::string_view line) {
  fmt::print("{}", Styler(stdout)(Style::kHeading, line));
}

void say(Style style, std::string_view message) {
  const Styler styled(stderr);
  std::string text;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    text += with_head(styled, style, message.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  fmt::print(stderr, "{}", text);
}

}  // namespace sim::cli
