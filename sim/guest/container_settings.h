// How a container of an image starts, where the service that runs it says nothing else: ENV,
// WORKDIR and ENTRYPOINT of its Dockerfile (Docker's reference of the same names).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sim::guest {

struct ContainerSettings {
  std::map<std::string, std::string> environment;
  std::string working_folder = "/";     // made where the image has none
  std::vector<std::string> entrypoint;  // empty: the container's arguments are its command
};

}  // namespace sim::guest
