// Starts a gang on machines without a login, such as the containers of a job. On the first host
// this program becomes mpirun. On the other hosts it starts mpirun's daemons, in place of ssh.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spottrain {

struct Hosts {
  std::vector<std::string> all;  // resolvable, in the same order on all hosts; the first leads
  std::string own;
};

// On the first host, this process becomes mpirun, with one rank for each host. The ranks run
// spottrain-mpi with these arguments. On each other host, it waits for a command of the first host,
// runs it, and returns the command's exit status. It returns 1 if the first host ended before.
// Needs Open MPI. Throws std::runtime_error, std::system_error.
int train_on(const Hosts& hosts, const std::vector<std::string>& arguments);

// mpirun starts "spottrain gang-agent HOST COMMAND …" to run a command on another host. Returns the
// command's exit status after it has ended there. Empty for other arguments. Throws the exceptions
// of train_on().
std::optional<int> run_gang_agent(const std::vector<std::string>& arguments);

}  // namespace spottrain
