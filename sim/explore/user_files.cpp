#include "sim/explore/user_files.h"

#include <algorithm>
#include <system_error>

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

// A run writes the one file, a search the other.
bool is_output(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "events.jsonl", ignored) || fs::exists(folder / "runs.jsonl", ignored);
}

}  // namespace

std::vector<fs::path> user_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (auto entry = fs::recursive_directory_iterator(folder, ignored);
       entry != fs::recursive_directory_iterator(); entry.increment(ignored)) {
    if (entry->is_directory(ignored) && is_output(entry->path())) entry.disable_recursion_pending();
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace sim::explore
