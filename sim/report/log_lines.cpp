#include "sim/report/log_lines.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace sim::report {
namespace {

std::ifstream open(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + ": cannot be read, expected a run's log");
  return in;
}

}  // namespace

void read_log(const std::filesystem::path& file, const TakeLine& take) {
  std::ifstream in = open(file);
  LineNumber number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      take(parse_event(line), number, line);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
}

std::map<LineNumber, std::string> lines_of(const std::filesystem::path& file,
                                           const std::set<LineNumber>& numbers) {
  std::ifstream in = open(file);
  std::map<LineNumber, std::string> found;
  LineNumber number = 0;
  auto wanted = numbers.begin();
  for (std::string line; wanted != numbers.end() && std::getline(in, line);) {
    if (++number != *wanted) continue;
    found.emplace(number, std::move(line));
    ++wanted;
  }
  return found;
}

}  // namespace sim::report
