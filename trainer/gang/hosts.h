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

// On the first host, this process becomes mpirun, with one rank per host that runs spottrain-mpi
// with these arguments. On each other host, it waits for a command of the first host and runs it.
// It returns the command's exit status, or 1 if the first host ended before. Needs Open MPI. Throws
// std::runtime_error, std::system_error.
int train_on(const Hosts& hosts, const std::vector<std::string>& arguments);

// The program that mpirun starts to run a command on another host, "spottrain gang-agent HOST
// COMMAND …". Returns its exit status when the command has ended there. Empty for other arguments.
// Throws like train_on().
std::optional<int> run_gang_agent(const std::vector<std::string>& arguments);

}  // namespace spottrain
