#include "sim/explore/console.h"

#include <algorithm>
#include <deque>
#include <fstream>

namespace sim::explore {
namespace {

constexpr std::size_t kLines = 8, kLongest = 200;

// A printable form of the line. Progress bars use carriage returns, and colours are control
// characters.
std::string printable(std::string line) {
  const auto last = line.find_last_not_of('\r');
  line.erase(last == line.npos ? 0 : last + 1);
  if (const auto shown = line.rfind('\r'); shown != line.npos) line.erase(0, shown + 1);
  if (line.size() > kLongest) line = line.substr(0, kLongest) + "...";
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return line;
}

}  // namespace

std::vector<std::string> last_lines(const std::filesystem::path& folder,
                                    const std::vector<std::string>& machines) {
  std::vector<std::string> all;
  for (const std::string& machine : machines) {
    std::ifstream console(folder / (machine + ".log"));
    std::deque<std::string> last;
    for (std::string line; std::getline(console, line);) {
      if (line = printable(std::move(line)); line.empty()) continue;
      last.push_back(machine + ": " + line);
      if (last.size() > kLines) last.pop_front();
    }
    all.insert(all.end(), last.begin(), last.end());
  }
  return all;
}

}  // namespace sim::explore
