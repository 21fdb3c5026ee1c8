// What a guest in namespaces reaches beyond its machine: names.
#include "base/whole_file.h"
#include "sim/guest/names/known_names.h"
#include "sim/guest/process/process_host_state.h"
#include "sim/guest/sandbox/guest_network.h"
#include "sim/kernel/event.h"

namespace sim::guest {
namespace {

// The host's, with host names from files and then from the resolver alone, and not from a daemon.
std::string name_services() {
  std::string text = base::read_file("/etc/nsswitch.conf").value_or(""), out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    if (!line.starts_with("hosts:")) out += line;
    begin = end;
  }
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out + "hosts: files dns\n";
}

}  // namespace

void ProcessHost::State::add_internet_files(SandboxSpec& spec, bool instance) const {
  auto& files = spec.root.files;
  files["/etc/nsswitch.conf"] = name_services();
  files["/etc/resolv.conf"] = (instance ? "search " + search_domain(config.region) + "\n" : "") +
                              "nameserver " + kEndpointAddress + "\n";
  // As EC2's images have it: the resolver knows the machine's own name.
  if (instance) files["/etc/hosts"] = "127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n";
}

void ProcessHost::State::connect_to_internet(Machine& machine) {
  InternetSockets sockets = machine.sandbox.take_internet();
  machine.names = name_server.serve(
      {.datagrams = std::move(sockets.name_datagrams),
       .stream = std::move(sockets.name_stream),
       .lookup = [this, &machine](const auto& name) { return look_up_for(machine, name); },
       .latency = backend->latencies.imds,
       .touched = [this, guest = machine.guest] { supervisor.wake(guest); }});
}

NameAnswer ProcessHost::State::look_up_for(Machine& machine, const std::string& name) {
  const Asker asker = machine.instance.empty() ? Asker::kOperator : Asker::kInstance;
  NameAnswer answer = look_up(name, asker, *backend, {});
  if (answer.exists) return answer;
  // A resolver asks for the name as it is and in its search domain.
  const std::string domain = "." + search_domain(config.region);
  const std::string meant =
      name.ends_with(domain) ? name.substr(0, name.size() - domain.size()) : name;
  if (machine.unknown_names.insert(meant).second)
    log.append(simulation.now(), "guest.unknown-name",
               {{"machine", machine.name}, {"name", meant}});
  return answer;
}

}  // namespace sim::guest
