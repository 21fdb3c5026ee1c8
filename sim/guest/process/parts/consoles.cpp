#include "sim/guest/process/parts/consoles.h"

#include <algorithm>
#include <fstream>

#include "sim/events/event.h"

namespace sim::guest {

namespace fs = std::filesystem;

fs::path Consoles::kept(const std::string& machine) const {
  return fs::absolute(context_.config.output) / "console" / (machine + ".log");
}

ConsoleFile& Consoles::of(const std::string& machine) {
  // Each look at a machine calls this, so it makes no paths if the file exists.
  if (const auto found = files_.find(machine); found != files_.end()) return found->second;
  return files_
      .try_emplace(machine, context_.folder.path() / "consoles" / machine, kept(machine),
                   context_.isolated())
      .first->second;
}

void Consoles::copy(const Machine& machine) {
  ConsoleFile& console = of(machine.name);
  const bool read = machine.progress && context_.config.progress->log == ProgressRule::kConsole;
  if (read ? console.copy(machine.progress->log.seen()) : console.copy())
    context_.log.append(events::GuestOutputFull{.time = context_.simulation.now(),
                                                .machine = machine.name,
                                                .output = "console",
                                                .kept_bytes = ConsoleFile::kMostKept});
}

std::string Consoles::tail(const std::string& machine, std::size_t most) const {
  const auto console = files_.find(machine);
  std::ifstream in(console == files_.end() ? kept(machine) : console->second.path(),
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
