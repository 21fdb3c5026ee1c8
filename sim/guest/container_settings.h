// How a container of an image starts if its service sets nothing else: ENV, WORKDIR and ENTRYPOINT
// of its Dockerfile (Docker's reference of the same names).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sim::guest {

struct ContainerSettings {
  std::map<std::string, std::string> environment;
  std::string working_folder = "/";     // made if the image lacks it
  std::vector<std::string> entrypoint;  // empty: the container's arguments are the command
};

}  // namespace sim::guest
