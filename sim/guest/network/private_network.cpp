#include "sim/guest/network/private_network.h"

#include <arpa/inet.h>
#include <sys/epoll.h>

#include <algorithm>

#include "base/process/system_call.h"
#include "sim/events/event.h"
#include "sim/guest/network/network_state.h"

namespace sim::guest {

PrivateNetwork::State::State(Simulation& simulation_, EventLog& log_, NetworkKnobs knobs_,
                             NetworkHooks hooks_)
    : simulation(simulation_),
      log(log_),
      knobs(knobs_),
      hooks(std::move(hooks_)),
      ready(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching connections")) {}

NetworkMachine* PrivateNetwork::State::find(const std::string& name) {
  const auto at = machines.find(name);
  return at == machines.end() ? nullptr : at->second.get();
}

NetworkMachine* PrivateNetwork::State::at_address(const std::string& vpc, in_addr address) {
  for (const auto& [name, machine] : machines)
    if (machine->member.vpc == vpc && machine->member.address.s_addr == address.s_addr)
      return machine.get();
  return nullptr;
}

NetworkMachine* PrivateNetwork::State::of_guest(int guest) {
  for (const auto& [name, machine] : machines)
    if (machine->member.guest == guest) return machine.get();
  return nullptr;
}

const NetworkPath& PrivateNetwork::State::path(const NetworkMachine& a,
                                               const NetworkMachine& b) const {
  return a.member.zone == b.member.zone ? knobs.within_zone : knobs.between_zones;
}

void PrivateNetwork::State::wake(const std::string& name) {
  if (const NetworkMachine* machine = find(name)) hooks.wake(machine->member.guest);
}

PrivateNetwork::PrivateNetwork(Simulation& simulation, EventLog& log, NetworkKnobs knobs,
                               NetworkHooks hooks)
    : state_(std::make_unique<State>(simulation, log, knobs, std::move(hooks))) {}

PrivateNetwork::~PrivateNetwork() = default;

void PrivateNetwork::join(NetworkMember member, int network_namespace) {
  Outside outside(network_namespace, member.address, member.subnet_prefix, member.vpc_block);
  const std::string name = member.name;
  state_->machines[name] = std::make_unique<NetworkMachine>(
      NetworkMachine{std::move(member), std::move(outside), {}, kFirstPort});
}

bool PrivateNetwork::poll() { return state_->poll(); }

void PrivateNetwork::close() {
  state_->attempts.clear();
  state_->connections.clear();
  state_->machines.clear();
}

void PrivateNetwork::cut(const std::string& name) {
  State& s = *state_;
  NetworkMachine* const machine = s.find(name);
  if (machine == nullptr) return;
  std::vector<std::pair<std::uint64_t, int>> cut_off;
  for (const auto& [id, c] : s.connections)
    for (const int end : {0, 1})
      if (c.ends[end].machine == name) cut_off.emplace_back(id, end);
  for (const auto& [id, end] : cut_off) s.silence(id, end);
  std::erase_if(s.attempts, [&](const auto& attempt) { return attempt.second.caller == name; });
  machine->outside.unplug();  // it may join again at once
  s.machines.erase(name);
}

void PrivateNetwork::leave(const std::string& name) {
  State& s = *state_;
  if (s.find(name) == nullptr) return;
  std::vector<std::pair<std::uint64_t, int>> leaving;
  for (const auto& [id, c] : s.connections)
    for (const int end : {0, 1})
      if (c.ends[end].machine == name) leaving.emplace_back(id, end);
  for (const auto& [id, end] : leaving) s.drain(id, end);
  std::erase_if(s.attempts, [&](const auto& attempt) { return attempt.second.caller == name; });
  s.machines.erase(name);
}

}  // namespace sim::guest
