// The network between the machines of a process host.
#include <arpa/inet.h>
#include <fcntl.h>

#include <algorithm>

#include "base/system_call.h"
#include "fakes/ec2/host_names.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

NetworkHooks ProcessHost::State::network_hooks() {
  return {.wake = [this](int guest) { supervisor.wake(guest); },
          .security_groups =
              [this](const std::string& name) {
                return backend->cloud.instance({name}).spec.security_group_ids;
              },
          .between_zones =
              [this](const std::string& from, const std::string& to, std::int64_t bytes) {
                backend->cloud.transferred({from}, {to}, bytes);
              }};
}

void ProcessHost::State::connect_network() {
  supervisor.add_source([this] { return network.poll(); });
  supervisor.set_connect(
      [this](Supervisor::ConnectCall call) { return network.connect(std::move(call)); });
}

// Its own name means its private address, as the resolver has it too.
void ProcessHost::State::show_private_address(SandboxSpec& spec,
                                              const cloud::Instance& instance) const {
  if (!has_namespaces(config.level)) return;
  std::string& hosts = spec.root.files["/etc/hosts"];
  hosts = "127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n";
  if (instance.private_ip.empty()) return;
  const std::string& name = spec.root.hostname;
  hosts += instance.private_ip + " " + name + "." + fakes::ec2::private_domain(config.region) +
           " " + name + "\n";
}

// Before its first program runs; the operator is no machine of the VPC.
void ProcessHost::State::join_network(const Machine& machine) {
  if (!has_namespaces(config.level) || machine.instance.empty()) return;
  const cloud::Instance& instance = backend->cloud.instance(machine.instance);
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
    network.join(std::move(member), its_namespace.get());
  } catch (const std::system_error& error) {
    if (config.say)
      config.say(std::string("network: none between instances in this run: ") + error.what());
  }
}

}  // namespace sim::guest
