#include "sim/guest/sandbox/root_files.h"

#include <string>

#include "sim/guest/sandbox/file_tree.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUpper = "upper";
constexpr const char* kTop = "top";

std::int64_t save(const base::FileDescriptor& folder, const fs::path& to) {
  fs::create_directories(to);
  return folder ? copy_files("/proc/self/fd/" + std::to_string(folder.get()), to) : 0;
}

}  // namespace

std::int64_t save_root(const RootFiles& files, const fs::path& to) {
  return save(files.upper, to / kUpper) + save(files.top, to / kTop);
}

void restore_upper(const fs::path& saved, const fs::path& upper) {
  copy_files(saved / kUpper, upper);
}

void restore_top(const fs::path& saved, const fs::path& top) { copy_files(saved / kTop, top); }

}  // namespace sim::guest
