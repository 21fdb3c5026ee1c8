// The network between the machines of a process host. Instances reach each other by their private
// addresses.
#pragma once

#include "sim/guest/network/private_network.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"

namespace sim::guest {

// The part of ProcessHost that connects machines to the PrivateNetwork of the VPC.
class MachineNetwork {
 public:
  explicit MachineNetwork(HostContext&);

  // Makes the instance's own name resolve to its private address, as the DNS server does.
  void add_address(SandboxSpec&, const cloud::Instance&) const;
  // Call it before the machine's first program runs. The operator's machine is not in the VPC.
  void join(const Machine&);
  void leave(const Machine& machine) { network_.leave(machine.name); }
  // Cuts the machine's power: its connections end without notice to the other side.
  void cut(const Machine& machine) { network_.cut(machine.name); }

  bool poll() { return network_.poll(); }  // a source of the supervisor
  ConnectAnswer connect(ConnectCall call) { return network_.connect(std::move(call)); }
  void close() { network_.close(); }

 private:
  HostContext& context_;
  PrivateNetwork network_;
};

}  // namespace sim::guest
