#include "sim/run/guest_level.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/process/descriptor_limit.h"
#include "sim/run/run.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatToAllow =
    "  To allow a sandbox: run spotsim as root, or permit unprivileged user namespaces\n"
    "  (sysctl kernel.apparmor_restrict_unprivileged_userns=0, "
    "kernel.unprivileged_userns_clone=1,\n"
    "  user.max_user_namespaces=10000, whichever of them this kernel has). In a container, start "
    "it\n"
    "  with `docker run --privileged` (level root), or with `--security-opt seccomp=unconfined\n"
    "  --security-opt apparmor=unconfined --security-opt systempaths=unconfined` (user\n"
    "  namespaces); podman has the same options.\n";

// The consequences of level plain, for a user who does not know it.
std::string meaning_of_plain() {
  return fmt::format(
      "at level plain the scenario's scripts run on this machine itself, as {}: they read and "
      "change its files and processes, and instances see each other's",
      geteuid() == 0 ? "root" : fmt::format("user {}", geteuid()));
}

// Checks the limit of open files. A lack of descriptors would otherwise look like missing rights. A
// guest needs some 30.
void check_this_process() {
  base::raise_descriptor_limit();
  std::error_code error;
  if (fs::temp_directory_path(error).empty()) {
    const char* named = std::getenv("TMPDIR");
    throw RunError(
        fmt::format("TMPDIR: found {}, expected a folder that exists", named ? named : "/tmp"));
  }
  constexpr std::size_t kFew = 64;
  std::vector<base::FileDescriptor> open_files;
  while (open_files.size() < kFew) {
    open_files.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!open_files.back())
      throw RunError(
          fmt::format("guests: this process can open {} more files ({}), expected {} at "
                      "least: raise `ulimit -Hn`",
                      open_files.size() - 1, std::strerror(errno), kFew));
  }
}

std::optional<guest::Level> level_named(const std::optional<std::string>& name) {
  using guest::Level;
  for (const Level level : {Level::kRoot, Level::kUserNamespaces, Level::kPlain})
    if (name == guest::name(level)) return level;
  return {};
}

}  // namespace

GuestLevel level_for(const scenario::Scenario& scenario, std::optional<guest::Level> asked) {
  constexpr auto kPlain = guest::Level::kPlain;
  if (!asked && level_named(scenario.guest.level) == kPlain)
    throw RunError(
        fmt::format("{}: guest.level: found plain, expected the option `--level plain`, "
                    "too: {}",
                    scenario.file.string(), meaning_of_plain()));
  check_this_process();
  GuestLevel found;
  const guest::Level best = guest::best_level(found.why);
  const auto wanted = asked ? asked : level_named(scenario.guest.level);
  // Levels are ordered, the best first.
  if (wanted && *wanted < best)
    throw RunError(fmt::format("guest.level: {}: {}", guest::name(*wanted), found.why));
  if (!wanted && best == kPlain)
    throw RunError(
        fmt::format("guest.level: auto: this machine permits no sandbox ({})\n{}"
                    "  Without one: `spotsim run --level plain`; {}.",
                    found.why, kWhatToAllow, meaning_of_plain()));
  found.level = wanted.value_or(best);
  return found;
}

}  // namespace sim::run
