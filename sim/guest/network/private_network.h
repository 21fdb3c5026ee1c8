// The private network of instances: TCP connections from a guest to another guest's private
// address. The two guests' kernels never exchange packets. Each has a connection to a socket of the
// simulator beyond its eth0 (outside.h). The bytes between the two sockets are events of the
// simulation.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/guest/network/network_knobs.h"
#include "sim/guest/network/outside.h"
#include "sim/guest/time/supervisor.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

struct NetworkMember {
  std::string name;  // instance ID
  int guest = 0;     // the supervisor's token
  in_addr address{};
  std::string zone;
  std::string vpc;  // two VPCs may have the same addresses
  VpcBlock vpc_block;
  int subnet_prefix = 0;
  // The counters of the guest's kernel: /proc/PID/net/netstat of one of its processes.
  std::filesystem::path counters;
};

struct NetworkHooks {
  // Called before any action that a guest may notice (Supervisor::wake).
  std::function<void(int guest)> wake;
  // Returns why the rules forbid an instance to connect to this port of another one in its VPC.
  // Empty if it is allowed.
  std::function<std::string(const std::string& from, const std::string& to, int port)> obstacle;
  // Whether packets between two instances are lost now. Their kernels repeat the packets.
  std::function<bool(const std::string& from, const std::string& to)> loses;
  // Called for bytes between instances in different zones.
  std::function<void(const std::string& from, const std::string& to, std::int64_t bytes)>
      between_zones;
};

// Connects guests of one run. A call of connect(2) goes through connect(). poll() moves bytes
// between sockets, and events of the simulation deliver them.
class PrivateNetwork {
 public:
  PrivateNetwork(Simulation&, EventLog&, NetworkKnobs, NetworkHooks);
  ~PrivateNetwork();

  // Gives the guest with that network namespace its eth0. Throws std::system_error with the
  // operation that the kernel refused.
  void join(NetworkMember member, int network_namespace);
  // Cuts a guest's power: the guest sends nothing more. Data on its way, which is half a round
  // trip's worth, is lost.
  void cut(const std::string& name);
  // Removes a guest whose processes have ended. Its last data and the ends of its connections still
  // arrive. An unknown name has no effect.
  void leave(const std::string& name);

  // Called at the end of the run. Nothing is logged after that.
  void close();

  // SupervisorHooks::connect: holds connections to other machines of the VPC.
  ConnectAnswer connect(ConnectCall call);
  // A source of the supervisor.
  bool poll();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::guest
