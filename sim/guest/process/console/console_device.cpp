#include "sim/guest/process/console/console_device.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "base/process/system_call.h"
#include "sim/guest/process/files/machine_files.h"

namespace sim::guest {

ConsoleDevice::ConsoleDevice(const std::filesystem::path& root, const std::filesystem::path& file) {
  if (root.empty()) return;
  device_ = open_in(root, "/dev/console", O_RDWR | O_NONBLOCK);
  if (!device_) base::throw_errno("opening a guest's /dev/console");
  file_ = base::FileDescriptor(base::checked(open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC),
                                             "opening " + file.string()));
}

bool ConsoleDevice::drain() {
  if (!device_) return false;
  std::array<char, 65536> part;
  bool any = false;
  for (ssize_t n; (n = read(device_.get(), part.data(), part.size())) > 0;) {
    any = true;
    // A console has a bound (console_file.h).
    static_cast<void>(!write(file_.get(), part.data(), static_cast<std::size_t>(n)));
  }
  return any;
}

}  // namespace sim::guest
