#include "sim/guest/process/console/process_status.h"

#include <fstream>
#include <sstream>

namespace sim::guest {

std::string status_of(pid_t pid, const std::string& field) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(field + ":")) continue;
    std::istringstream words(line.substr(field.size() + 1));
    std::string value;
    for (std::string word; words >> word && word != "kB";) value = word;
    return value;
  }
  return "0";
}

}  // namespace sim::guest
