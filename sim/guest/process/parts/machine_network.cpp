#include "sim/guest/process/parts/machine_network.h"

#include <arpa/inet.h>
#include <fcntl.h>

#include <algorithm>

#include "base/process/system_call.h"
#include "fakes/ec2/network/host_names.h"

namespace sim::guest {

namespace {

// A service that manages instances has a network of its own, in which all ports are open.
constexpr const char* kServiceVpc = "service";

std::string obstacle(HostContext& context, const std::string& from, const std::string& to,
                     int port) {
  vpc::Network& network = context.cloud_of(cloud::InstanceId{from}).network();
  const auto* const caller = network.interfaces.of(from);
  const auto* const target = network.interfaces.of(to);
  if (!caller || !target) return "";
  const std::string fault = context.fault_between({from}, {to});
  return fault.empty() ? network.obstacle(*caller, *target, port) : fault;
}

in_addr as_in_addr(vpc::Ipv4 address) {
  in_addr out{};
  out.s_addr = htonl(address.value);
  return out;
}

// Where an instance is in the network. The default VPC's blocks are a service's, too.
void place(NetworkMember& member, const vpc::Network& network) {
  const auto* const interface = network.interfaces.of(member.name);
  vpc::Cidr vpc{{172u << 24 | 31u << 16}, 16};
  int subnet_prefix = 20;
  if (interface != nullptr) {
    vpc = network.vpcs.table.find(interface->vpc).cidr;
    subnet_prefix = network.subnets.table.find(interface->subnet).cidr.prefix;
  }
  member.vpc = interface ? interface->vpc : kServiceVpc;
  member.vpc_block = {as_in_addr(vpc.base), vpc.prefix};
  member.subnet_prefix = subnet_prefix;
}

NetworkHooks hooks_for(HostContext& context) {
  return {.wake = [&context](int guest) { context.supervisor.wake(guest); },
          .obstacle = [&context](const std::string& from, const std::string& to,
                                 int port) { return obstacle(context, from, to, port); },
          .loses =
              [&context](const std::string& from, const std::string& to) {
                return !context.fault_between({from}, {to}).empty();
              },
          .between_zones =
              [&context](const std::string& from, const std::string& to, std::int64_t bytes) {
                context.cloud_of(cloud::InstanceId{from}).transferred({from}, {to}, bytes);
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
           fakes::ec2::private_domain(context_.region_of(instance.id)) + " " + name + "\n";
}

void MachineNetwork::join(const Machine& machine) {
  if (!context_.isolated() || machine.instance.empty()) return;
  cloud::Cloud& cloud = context_.cloud_of(machine.instance);
  const cloud::Instance& instance = cloud.instance(machine.instance);
  const std::string process = "/proc/" + std::to_string(machine.sandbox.inside());
  NetworkMember member{.name = machine.name,
                       .guest = machine.guest,
                       .zone = instance.spec.availability_zone,
                       .counters = process + "/net/netstat"};
  if (inet_pton(AF_INET, instance.private_ip.c_str(), &member.address) != 1) return;
  place(member, cloud.network());
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
