// A program of an image that a service such as SageMaker runs on an instance of its own.
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

// A file where containers are models: of a long one only its size.
struct ModelledFile {
  std::uint64_t size = 0;
  std::string text = {};  // its bytes, of one that somebody reads; else empty
  Time written{};
};
using ModelledFolder = std::map<std::string, ModelledFile>;  // by path in it

// What a container finds and leaves: one of the two, or neither where there are no containers.
struct ContainerFolder {
  std::filesystem::path path = {};  // of this machine
  std::shared_ptr<ModelledFolder> model = {};
};

// The image is the instance's.
struct Container {
  std::vector<std::string> entrypoint;  // empty: the image's
  std::vector<std::string> arguments;   // of the entry point; a command where there is none
  std::map<std::string, std::string> environment;
  std::string hostname;
  std::map<std::string, std::string> hosts;  // names → private addresses, for /etc/hosts
  ContainerFolder folder;                    // Host::container_folder …
  std::string mounted_at;                    // … and where the container finds it
  // Folders of it. Each is mounted by itself, so that what else is at `mounted_at` is the image's.
  std::vector<std::string> mounts;
};

struct ContainerHooks {
  // A line of its standard output or error, when it was written.
  std::function<void(std::string_view line)> said;
  // Called with the status as a shell reports it: 128 + signal if a signal killed the container.
  // Not called if the instance ends first.
  std::function<void(int status)> exited;
};

}  // namespace sim::cloud
