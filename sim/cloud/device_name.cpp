#include "sim/cloud/device_name.h"

#include <regex>

namespace sim::cloud {

std::optional<std::string> guest_device(std::string_view name) {
  static const std::regex kForm{"(/dev/)?(sd|xvd)([a-z]([1-9]|1[0-5])?)"};
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_match(name.begin(), name.end(), match, kForm)) return {};
  return "/dev/xvd" + match.str(3);
}

}  // namespace sim::cloud
