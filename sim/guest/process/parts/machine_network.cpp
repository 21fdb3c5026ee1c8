#include "sim/guest/process/parts/machine_network.h"

#include <arpa/inet.h>
#include <fcntl.h>

#include <algorithm>

#include "base/system_call.h"
#include "fakes/ec2/host_names.h"

namespace sim::guest {

namespace {

NetworkHooks hooks_for(HostContext& context) {
  return {.wake = [&context](int guest) { context.supervisor.wake(guest); },
          .security_groups =
              [&context](const std::string& name) {
                return context.backend->cloud.instance({name}).spec.security_group_ids;
              },
          .between_zones =
              [&context](const std::string& from, const std::string& to, std::int64_t bytes) {
                context.backend->cloud.transferred({from}, {to}, bytes);
              }};
}

}  // namespace

MachineNetwork::MachineNetwork(HostContext& context)
    : context_(context),
      network_(context.simulation, context.log, context.config.network, hooks_for(context)) {}

void MachineNetwork::add_address(SandboxSpec& spec, const cloud::Instance& instance) const {
  if (!context_.isolated()) return;
  std::string& hosts = spec.root.files["/etc/hosts"];
  hosts = "127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n";
  if (instance.private_ip.empty()) return;
  const std::string& name = spec.root.hostname;
  hosts += instance.private_ip + " " + name + "." +
           fakes::ec2::private_domain(context_.config.region) + " " + name + "\n";
}

void MachineNetwork::join(const Machine& machine) {
  if (!context_.isolated() || machine.instance.empty()) return;
  const cloud::Instance& instance = context_.backend->cloud.instance(machine.instance);
  const std::string process = "/proc/" + std::to_string(machine.sandbox.inside());
  NetworkMember member{.name = machine.name,
                       .guest = machine.guest,
                       .zone = instance.spec.availability_zone,
                       .counters = process + "/net/netstat"};
  if (inet_pton(AF_INET, instance.private_ip.c_str(), &member.address) != 1) return;
  const std::string file = process + "/ns/net";
  try {
    const base::FileDescriptor its_namespace(
        base::checked(open(file.c_str(), O_RDONLY | O_CLOEXEC), "opening " + file));
    network_.join(std::move(member), its_namespace.get());
  } catch (const std::system_error& error) {
    if (context_.config.say)
      context_.config.say(std::string("network: none between instances in this run: ") +
                          error.what());
  }
}

}  // namespace sim::guest
