#include "sim/guest/boot/commands.h"

#include "sim/guest/services/commands.h"

namespace sim::guest::boot {
namespace {

// A command that calls another command finds it in its own folder: cron's PATH has no sbin.
constexpr const char* kPowerOff = R"sh(#!/bin/sh
# Ends this machine: its init listens to systemd's signal for it.
exec kill -s RTMIN+4 "${SPOTSIM_INIT:-1}"
)sh";

constexpr const char* kReboot = R"sh(#!/bin/sh
# Starts this machine's operating system again: its init listens to systemd's signal for it.
exec kill -s RTMIN+5 "${SPOTSIM_INIT:-1}"
)sh";

constexpr const char* kShutdown = R"sh(#!/bin/sh
# shutdown [-h|-P|-H|-r|-k] [now|+MINUTES|hh:mm] [MESSAGE], shutdown -c: ends this machine, or
# starts it again.
export PATH="${0%/*}:$PATH:/usr/sbin"
folder=${SPOTRUN_ROOT-}/run/systemd/shutdown
scheduled=$folder/scheduled
what=Shutdown how=poweroff time='' cancel='' only_say='' bad=''
while [ $# -gt 0 ]; do
  case $1 in
    -h|-P|--poweroff|-H|--halt|--no-wall) ;;
    -r|--reboot) what=Reboot how=reboot ;;
    -k) only_say=1 ;;
    -c) cancel=1 ;;
    -*) echo "shutdown: unrecognized option '$1'" >&2; exit 1 ;;
    *) [ -n "$time" ] || time=$1 ;;
  esac
  shift
done
stop_waiting() {
  [ ! -r "$scheduled" ] || kill -- "-$(cat "$scheduled")" 2>/dev/null
  rm -f "$scheduled"
}
if [ -n "$cancel" ]; then stop_waiting; exit 0; fi
case ${time:=+1} in
  now|+0|0) [ -n "$only_say" ] || exec $how; exit 0 ;;
  *[!0-9:+]*|*+*+*|+|?*+*) bad=1 ;;
  *:*)
    now=$(date +%s)
    at=$(date -d "$time" +%s 2>/dev/null) || bad=1
    [ -n "$bad" ] || seconds=$((at > now ? at - now : at + 86400 - now)) ;;
  *) seconds=$((${time#+} * 60)) ;;
esac
if [ -n "$bad" ]; then echo "Failed to parse time specification: $time" >&2; exit 1; fi
when=$(date -d "+$seconds seconds" '+%a %Y-%m-%d %H:%M:%S %Z')
echo "$what scheduled for $when, use 'shutdown -c' to cancel." >&2
[ -z "$only_say" ] || exit 0
stop_waiting
mkdir -p "$folder"
setsid sh -c 'echo $$ >"$1"; sleep "$2"; rm -f "$1"; exec "$3"' sh "$scheduled" "$seconds" $how \
  >/dev/null 2>&1 </dev/null &
)sh";

constexpr const char* kCloudInitPer = R"sh(#!/bin/sh
# cloud-init-per once|instance|always NAME COMMAND…: runs it unless it has run so.
if [ $# -lt 3 ]; then
  echo "Usage: cloud-init-per frequency name cmd [ arg1 [ arg2 [ ... ] ]" >&2
  exit 1
fi
how=$1 name=$(printf %s "$2" | tr - _)
shift 2
case $how in
  once) note=${SPOTRUN_ROOT-}/var/lib/cloud/sem/bootper.$name.once ;;
  instance) note=${SPOTRUN_ROOT-}/var/lib/cloud/instance/sem/bootper.$name.instance ;;
  always) exec "$@" ;;
  *) echo "cloud-init-per: invalid frequency: $how" >&2; exit 1 ;;
esac
[ ! -e "$note" ] || exit 0
"$@"
status=$?
printf '%s\t%s\t%s\n' "$$" "$(date +%s)" "$status" >"$note"
exit $status
)sh";

constexpr const char* kCloudInit = R"sh(#!/bin/sh
# cloud-init status [--wait]: how far this machine's boot is; cloud-init clean [--logs] [--reboot]:
# the next boot is a first one.
export PATH="${0%/*}:$PATH:/usr/sbin"
if [ "${1-}" = clean ]; then
  rm -rf "${SPOTRUN_ROOT-}"/var/lib/cloud/*
  case " $* " in
    *" --logs "* | *" -l "*) rm -f "${SPOTRUN_ROOT-}/var/log/cloud-init.log" ;;
  esac
  case " $* " in *" --reboot "* | *" -r "*) exec reboot ;; esac
  exit 0
fi
if [ "${1-}" != status ]; then
  echo "cloud-init: ${1-} is not done on a simulated instance" >&2
  exit 2
fi
result=${SPOTRUN_ROOT-}/run/cloud-init/result.json
case " $* " in
  *" --wait "* | *" -w "*)
    until [ -e "$result" ]; do printf .; sleep 0.25; waited=1; done
    [ -z "${waited-}" ] || echo ;;
esac
if [ ! -e "$result" ]; then echo "status: running"; exit 0; fi
if grep -q '"errors": \[\]' "$result"; then echo "status: done"; exit 0; fi
echo "status: error"
exit 1
)sh";

constexpr const char* kInit = R"sh(#!/bin/sh
# init 0, init 6: the runlevels in which this machine ends, and starts again; all others are one.
export PATH="${0%/*}:$PATH:/usr/sbin"
case ${1-} in
  0) exec poweroff ;;
  6) exec reboot ;;
  [1-5sSqQuU]) exit 0 ;;
esac
echo "init: ${1-} is not done on a simulated instance" >&2
exit 1
)sh";

constexpr const char* kUdevadm = R"sh(#!/bin/sh
# Devices are there as soon as they are attached: nobody has to be waited for, nor told.
case ${1-} in
  settle|trigger|control) exit 0 ;;
  --version|-V|version) echo 252; exit 0 ;;
esac
echo "udevadm: ${1-} is not done on a simulated instance" >&2
exit 1
)sh";

}  // namespace

const std::map<std::string, std::string>& commands() {
  static const std::map<std::string, std::string> table = [] {
    std::map<std::string, std::string> out{
        {"/usr/bin/cloud-init", kCloudInit}, {"/usr/bin/cloud-init-per", kCloudInitPer},
        {"/usr/sbin/halt", kPowerOff},       {"/usr/sbin/poweroff", kPowerOff},
        {"/usr/sbin/reboot", kReboot},       {"/usr/sbin/shutdown", kShutdown},
        {"/usr/sbin/init", kInit},           {"/usr/sbin/telinit", kInit},
        {"/usr/bin/udevadm", kUdevadm},
    };
    out.insert(services::commands().begin(), services::commands().end());
    return out;
  }();
  return table;
}

}  // namespace sim::guest::boot
