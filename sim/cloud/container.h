// A container that a service such as SageMaker runs on an instance of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::cloud {

// A file of a modelled container. For a large file only the size is stored.
struct ModelledFile {
  std::uint64_t size = 0;
  std::string text = {};  // content, if a program reads the file; else empty
  Time written{};
};
using ModelledFolder = std::map<std::string, ModelledFile>;  // by path in it

// The folder that a container shares with its service: a model or a real path. Both are empty if
// these guests have no containers.
struct ContainerFolder {
  std::filesystem::path path = {};  // on this machine
  std::shared_ptr<ModelledFolder> model = {};
};

// A container to run. Its image is the instance's.
struct Container {
  std::vector<std::string> entrypoint;  // empty: the image's
  std::vector<std::string> arguments;   // for the entry point, or the command if there is none
  std::map<std::string, std::string> environment;
  std::string hostname;
  std::map<std::string, std::string> hosts;  // names → private addresses, for /etc/hosts
  ContainerFolder folder;                    // from Host::container_folder
  std::string mounted_at;                    // where the container sees the folder
  // Subfolders to mount. Each is mounted separately, so that other files at `mounted_at` are the
  // image's.
  std::vector<std::string> mounts;
};

// Callbacks from a running container to its service.
struct ContainerHooks {
  // Called for each line of the container's standard output and error.
  std::function<void(std::string_view line)> said;
  // Called with the status as a shell reports it: 128 + signal if a signal killed the container.
  // Not called if the instance ends first.
  std::function<void(int status)> exited;
};

}  // namespace sim::cloud
