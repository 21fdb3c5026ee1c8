#include "sim/guest/sandbox/mounting.h"

#include <fcntl.h>
#include <sys/mount.h>

#include "base/process/system_call.h"

namespace sim::guest {

void mount_at(const char* type, const std::string& target, unsigned long flags,
              const std::string& options) {
  base::checked(mount(type, target.c_str(), type, flags, options.c_str()),
                "mounting " + std::string(type) + " at " + target);
}

void bind_mount(const std::string& source, const std::string& target, unsigned long flags) {
  base::checked(mount(source.c_str(), target.c_str(), nullptr, MS_BIND | flags, nullptr),
                "binding " + source + " to " + target);
}

void bind_closed(const std::string& source, const std::string& target) {
  bind_mount(source, target, MS_REC);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  base::checked(
      mount_setattr(AT_FDCWD, target.c_str(), AT_RECURSIVE, &attributes, sizeof attributes),
      "making " + target + " read-only");
}

std::string escaped_layer(const std::string& folder) {
  std::string out;
  for (const char c : folder) {
    if (c == '\\' || c == ':' || c == ',') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace sim::guest
