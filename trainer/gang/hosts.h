// Starts a gang on machines without a login, such as the containers of a job. The first host
// becomes mpirun. This program replaces ssh and starts mpirun's daemons on the further hosts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spottrain {

struct Hosts {
  std::vector<std::string> all;  // names that resolve, the same list everywhere; the first leads
  std::string own;
};

// On the first host: becomes mpirun, with a rank a host that runs spottrain-mpi with these
// arguments. On each other: waits until the first sends a command, runs it, and returns its exit
// status, or 1 where the first host went before it ended. Needs Open MPI. Throws
// std::runtime_error, std::system_error.
int train_on(const Hosts& hosts, const std::vector<std::string>& arguments);

// What mpirun starts to have a command run on another host, "spottrain gang-agent HOST COMMAND …":
// its exit status, once the command has ended there. Empty where the arguments are others. Throws
// as train_on() does.
std::optional<int> run_gang_agent(const std::vector<std::string>& arguments);

}  // namespace spottrain
