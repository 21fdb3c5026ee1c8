#include "base/process/process_name.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

namespace base {
namespace {

void clear(std::uintptr_t from, std::uintptr_t to) {
  if (from != 0 && from < to) std::memset(reinterpret_cast<void*>(from), 0, to - from);
}

}  // namespace

void name_process(const std::string& name) {
  prctl(PR_SET_NAME, name.c_str());
  // proc_pid_stat(5): fields 3 to 52 follow the name, which is in parentheses. Fields 48 to 51 are
  // the begin and the end of the arguments and of the environment.
  std::ifstream in("/proc/self/stat");
  std::string line;
  std::getline(in, line);
  const auto end = line.rfind(')');
  if (end == std::string::npos) return;
  std::istringstream fields(line.substr(end + 1));
  std::string skipped;
  for (int field = 3; field < 48; ++field) fields >> skipped;
  std::uintptr_t arguments = 0, arguments_end = 0, environment = 0, environment_end = 0;
  if (!(fields >> arguments >> arguments_end >> environment >> environment_end)) return;
  clear(arguments, arguments_end);
  clear(environment, environment_end);
  if (arguments == 0 || arguments_end <= arguments) return;
  std::memcpy(reinterpret_cast<void*>(arguments), name.data(),
              std::min<std::size_t>(name.size(), arguments_end - arguments - 1));
}

}  // namespace base
