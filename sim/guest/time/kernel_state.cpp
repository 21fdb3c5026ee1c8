#include "sim/guest/time/kernel_state.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <string>
#include <string_view>

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Calls `write` with each line of a file of /proc: its name and the text after the separator.
template <class Write>
void rewrite(const fs::path& folder, const char* name, char separator, const Write& write) {
  std::ifstream in(fs::path("/proc") / name);
  if (!in) return;
  std::ofstream out(folder / name);
  for (std::string line; std::getline(in, line);) {
    const auto end = line.find(separator);
    write(out, line, line.substr(0, end), end == line.npos ? "" : line.substr(end + 1));
  }
}

// The size of memory is the host's, so that a program does not allocate more than exists.
void write_memory(const fs::path& folder) {
  const std::set<std::string> constant{"MemTotal", "VmallocTotal", "Hugepagesize"};
  std::uint64_t total = 0;
  rewrite(folder, "meminfo", ':',
          [&](std::ostream& out, const std::string& line, const std::string& name,
              const std::string& value) {
            if (name == "MemTotal") total = std::stoull(value);
            if (constant.contains(name)) {
              out << line << '\n';
              return;
            }
            std::uint64_t shown = 0;
            if (name == "MemFree" || name == "MemAvailable") shown = shown_free_memory(total);
            if (name == "CommitLimit") shown = total / 2;
            const char* unit = value.ends_with("kB") ? " kB" : "";
            out << fmt::format("{:<16}{:>8}{}\n", name + ":", shown, unit);
          });
}

// The frequency changes at each reading. bogomips, twice the constant frequency, does not.
void write_processors(const fs::path& folder) {
  std::string frequency;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; frequency.empty() && std::getline(in, line);)
    if (line.starts_with("bogomips"))
      frequency = fmt::format("{:.3f}", std::stod(line.substr(line.find(':') + 1)) / 2);
  rewrite(
      folder, "cpuinfo", ':',
      [&](std::ostream& out, const std::string& line, const std::string& name, const std::string&) {
        if (name.starts_with("cpu MHz") && !frequency.empty())
          out << name << ": " << frequency << '\n';
        else
          out << line << '\n';
      });
}

void write_counters(const fs::path& folder) {
  rewrite(folder, "vmstat", ' ',
          [](std::ostream& out, const std::string&, const std::string& name, const std::string&) {
            out << name << " 0\n";
          });
  for (const char* name : {"interrupts", "softirqs", "swaps"}) {  // a line of titles
    std::ifstream in(fs::path("/proc") / name);
    std::string titles;
    if (std::getline(in, titles)) std::ofstream(folder / name) << titles << '\n';
  }
}

}  // namespace

void write_kernel_state(const fs::path& folder) {
  fs::create_directories(folder);
  write_memory(folder);
  write_processors(folder);
  write_counters(folder);
}

}  // namespace sim::guest
