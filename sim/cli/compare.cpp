#include "sim/cli/compare.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace sim::cli {
namespace {

std::ifstream open(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return in;
}

}  // namespace

std::optional<std::string> first_difference(const std::filesystem::path& expected,
                                            const std::filesystem::path& found) {
  std::ifstream a = open(expected), b = open(found);
  for (int line = 1;; ++line) {
    std::string left = "(the log ends)", right = left;
    const bool more_left = static_cast<bool>(std::getline(a, left));
    const bool more_right = static_cast<bool>(std::getline(b, right));
    if (!more_left) left = "(the log ends)";
    if (!more_right) right = "(the log ends)";
    if (!more_left && !more_right) return std::nullopt;
    if (more_left != more_right || left != right) {
      return fmt::format("line {} differs\n  expected {}\n  found    {}", line, left, right);
    }
  }
}

}  // namespace sim::cli
