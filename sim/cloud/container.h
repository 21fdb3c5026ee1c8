// A program of an image that a service such as SageMaker runs on an instance of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sim::cloud {

// The image is the instance's.
struct Container {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::string hostname;
  std::map<std::string, std::string> hosts;  // names → private addresses, for /etc/hosts
  std::filesystem::path folder;              // of this machine (Host::container_folder) …
  std::string mounted_at;                    // … and where the container finds it, and writes
};

struct ContainerHooks {
  // A line of its standard output or error, when it was written.
  std::function<void(std::string_view line)> said;
  // As a shell has it: 128 + signal for one that was killed. Not called where the instance ends
  // before.
  std::function<void(int status)> exited;
};

}  // namespace sim::cloud
