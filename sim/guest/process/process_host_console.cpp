// What machines write to their consoles, and how much of it a run keeps.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/events/event.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {

namespace fs = std::filesystem;

fs::path ProcessHost::State::kept_console(const std::string& name) const {
  return fs::absolute(config.output) / "console" / (name + ".log");
}

ConsoleFile& ProcessHost::State::console_of(const std::string& name) {
  return consoles
      .try_emplace(name, folder.path() / "consoles" / name, kept_console(name),
                   has_namespaces(config.level))
      .first->second;
}

void ProcessHost::State::copy_console(const Machine& machine) {
  ConsoleFile& console = console_of(machine.name);
  const bool read = machine.progress && config.progress->log == ProgressRule::kConsole;
  if (read ? console.copy(machine.progress->log.seen()) : console.copy())
    log.append(events::GuestOutputFull{.time = simulation.now(),
                                       .machine = machine.name,
                                       .output = "console",
                                       .kept_bytes = ConsoleFile::kMostKept});
}

std::string ProcessHost::console(const cloud::InstanceId& id, std::size_t most) const {
  const auto console = state_->consoles.find(id.value);
  std::ifstream in(
      console == state_->consoles.end() ? state_->kept_console(id.value) : console->second.path(),
      std::ios::binary | std::ios::ate);
  if (!in) return {};
  const auto size = static_cast<std::size_t>(in.tellg());
  std::string out(std::min(size, most), '\0');
  in.seekg(static_cast<std::streamoff>(size - out.size()));
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

}  // namespace sim::guest
