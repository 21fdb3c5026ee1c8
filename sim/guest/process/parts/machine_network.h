// The network between the machines of a process host: instances reach each other by their private
// addresses.
#pragma once

#include "sim/guest/network/private_network.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"

namespace sim::guest {

class MachineNetwork {
 public:
  explicit MachineNetwork(HostContext&);

  // Lets an instance's own name mean its private address, as the resolver does too.
  void add_address(SandboxSpec&, const cloud::Instance&) const;
  // To be called before the machine's first program runs. The operator's machine is not in the VPC.
  void join(const Machine&);
  void leave(const Machine& machine) { network_.leave(machine.name); }
  // The machine's power is cut: its connections end without a word.
  void cut(const Machine& machine) { network_.cut(machine.name); }

  bool poll() { return network_.poll(); }  // a source of the supervisor
  ConnectAnswer connect(ConnectCall call) { return network_.connect(std::move(call)); }
  void close() { network_.close(); }

 private:
  HostContext& context_;
  PrivateNetwork network_;
};

}  // namespace sim::guest
