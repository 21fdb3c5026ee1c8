#include "sim/cli/programs.h"

#include <stdexcept>

namespace sim::cli {

std::filesystem::path programs_folder() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* program : {"spotrun", "spottrain"}) {
    if (!fs::exists(folder / program)) {
      throw std::runtime_error("found no " + (folder / program).string() +
                               ", expected spotrun and spottrain beside spotsim");
    }
  }
  return folder;
}

}  // namespace sim::cli
