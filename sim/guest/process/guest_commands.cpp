#include "sim/guest/process/guest_commands.h"

#include <fstream>
#include <stdexcept>
#include <string>

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAws = R"(#!/bin/sh
# The AWS CLI against the simulated endpoint.
for aws in /usr/local/bin/aws /usr/bin/aws; do
  [ -x "$aws" ] && exec "$aws" --endpoint-url "$AWS_ENDPOINT_URL" "$@"
done
echo "aws: not installed on the host that simulates this machine" >&2
exit 127
)";

constexpr const char* kPowerOff = R"(#!/bin/sh
# Ends this machine: its init listens to systemd's signal for it.
exec kill -s RTMIN+4 "${SPOTSIM_INIT:-1}"
)";

constexpr const char* kShutdown = R"(#!/bin/sh
# shutdown [-h|-P|-r|-H] [now|+MINUTES]: ends this machine, then or at once.
minutes=1
for word in "$@"; do
  case $word in
    now|+0) minutes=0 ;;
    +[0-9]*) minutes=${word#+} ;;
    -h|-P|-H|-r|--no-wall) ;;
    *) echo "shutdown: $word is not known here" >&2; exit 2 ;;
  esac
done
[ "$minutes" = 0 ] && exec poweroff
(sleep $((minutes * 60)); exec poweroff) >/dev/null 2>&1 </dev/null &
)";

constexpr const char* kSudo = R"(#!/bin/sh
# There is one user here: runs the command as it is.
while [ $# -gt 0 ]; do
  case $1 in
    -u|-g|--user|--group) shift 2 ;;
    --) shift; break ;;
    -*) shift ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || exec "${SHELL:-/bin/sh}"
exec env "$@"
)";

// libmount would want a loop device for a regular file, unless it does not know the type.
constexpr const char* kMount = R"(#!/bin/sh
# Volumes are directories here: tells mount(8) not to look at the device.
for word in "$@"; do
  case $word in
    /dev/xvd*|/dev/sd*) exec /bin/mount -i -n -t spotsim-volume "$@" ;;
  esac
done
exec /bin/mount "$@"
)";

void write_command(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string());
  fs::permissions(file, fs::perms(0755));
}

}  // namespace

void write_guest_commands(const fs::path& folder, Level level) {
  fs::create_directories(folder);
  write_command(folder / "aws", kAws);
  for (const char* command : {"poweroff", "halt", "reboot"})
    write_command(folder / command, kPowerOff);
  write_command(folder / "shutdown", kShutdown);
  if (level != Level::kRoot || !fs::exists("/usr/bin/sudo")) write_command(folder / "sudo", kSudo);
  if (level != Level::kRoot) write_command(folder / "mount", kMount);
}

}  // namespace sim::guest
