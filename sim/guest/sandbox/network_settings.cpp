#include "sim/guest/sandbox/network_settings.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include <exception>
#include <fstream>
#include <functional>
#include <thread>

#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"
#include "base/process/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

fs::path settings_of(pid_t init) { return "/proc/" + std::to_string(init) + "/root/proc/sys/net"; }

// Which settings the kernel shows there follows the network namespace of the thread that looks.
void in_network_of(pid_t init, const std::function<void()>& work) {
  std::exception_ptr error;
  std::thread([&] {
    try {
      const std::string file = "/proc/" + std::to_string(init) + "/ns/net";
      const base::FileDescriptor its_namespace(
          base::checked(open(file.c_str(), O_RDONLY | O_CLOEXEC), "opening " + file));
      base::checked(setns(its_namespace.get(), CLONE_NEWNET), "entering a network namespace");
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

bool can_be_set(const fs::path& file) {
  struct stat as {};
  return stat(file.c_str(), &as) == 0 && (as.st_mode & 0600) == 0600;
}

}  // namespace

NetworkSettings::NetworkSettings(pid_t init) {
  in_network_of(init, [&] {
    const fs::path settings = settings_of(init);
    for (const auto& entry : fs::recursive_directory_iterator(settings)) {
      if (!entry.is_regular_file() || !can_be_set(entry.path())) continue;
      if (auto value = base::read_file(entry.path()))
        noted_.emplace(entry.path().lexically_relative(settings), std::move(*value));
    }
  });
}

// Twice: ip_forward and what is set for all interfaces change others, which may come before them.
void NetworkSettings::restore(pid_t init) const {
  in_network_of(init, [&] {
    const fs::path settings = settings_of(init);
    for (int times = 0; times < 2; ++times)
      for (const auto& [name, value] : noted_)
        if (const auto now = base::read_file(settings / name); now && *now != value)
          std::ofstream(settings / name, std::ios::binary) << value;
  });
}

}  // namespace sim::guest
