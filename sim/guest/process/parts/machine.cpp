#include "sim/guest/process/parts/machine.h"

#include <utility>

#include "sim/kernel/check.h"

namespace sim::guest {

std::vector<int> Machine::heard_from() const {
  std::vector<int> out{events.descriptor(), sandbox.messages()};
  if (console.descriptor() >= 0) out.push_back(console.descriptor());
  if (output) out.push_back(output->descriptor());
  return out;
}

Machine* Machines::find(const std::string& name) const {
  const auto at = table_.find(name);
  return at == table_.end() ? nullptr : at->second.get();
}

Machine* Machines::of(int guest) const {
  const auto at = by_guest_.find(guest);
  return at == by_guest_.end() ? nullptr : at->second;
}

Machine& Machines::add(Machine machine) {
  const std::string name = machine.name;
  const auto [at, is_new] = table_.emplace(name, std::make_unique<Machine>(std::move(machine)));
  SIM_CHECK(is_new);
  return *at->second;
}

void Machines::set_guest(Machine& machine, int guest) {
  machine.guest = guest;
  by_guest_[guest] = &machine;
}

std::unique_ptr<Machine> Machines::take(const std::string& name) {
  const auto at = table_.find(name);
  SIM_CHECK(at != table_.end());
  std::unique_ptr<Machine> machine = std::move(at->second);
  table_.erase(at);
  by_guest_.erase(machine->guest);
  return machine;
}

}  // namespace sim::guest
