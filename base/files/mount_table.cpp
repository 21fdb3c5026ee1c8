#include "base/files/mount_table.h"

#include <sys/sysmacros.h>

#include <fstream>
#include <sstream>

namespace base {
namespace {

// Blanks and the like are written as \ooo.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<MountEntry> mounts_of(pid_t pid) {
  // proc(5): ID, parent's ID, major:minor, root, mount point, …
  std::ifstream in("/proc/" + std::to_string(pid) + "/mountinfo");
  std::vector<MountEntry> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    int id = 0;
    std::string parent, root, point;
    unsigned major = 0, minor = 0;
    char colon = 0;
    fields >> id >> parent >> major >> colon >> minor >> root >> point;
    out.push_back({id, makedev(major, minor), unescaped(root), unescaped(point)});
  }
  return out;
}

}  // namespace base
