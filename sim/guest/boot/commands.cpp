#include "sim/guest/boot/commands.h"

namespace sim::guest::boot {
namespace {

constexpr const char* kPowerOff = R"sh(#!/bin/sh
# Ends this machine: its init listens to systemd's signal for it.
exec kill -s RTMIN+4 "${SPOTSIM_INIT:-1}"
)sh";

constexpr const char* kShutdown = R"sh(#!/bin/sh
# shutdown [-h|-P|-H|-r|-k] [now|+MINUTES|hh:mm] [MESSAGE], shutdown -c: ends this machine.
folder=${SPOTRUN_ROOT-}/run/systemd/shutdown
scheduled=$folder/scheduled
what=Shutdown time='' cancel='' only_say='' bad=''
while [ $# -gt 0 ]; do
  case $1 in
    -h|-P|--poweroff|-H|--halt|--no-wall) ;;
    -r|--reboot) what=Reboot ;;
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
  now|+0|0) [ -n "$only_say" ] || exec poweroff; exit 0 ;;
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
setsid sh -c 'echo $$ >"$1"; sleep "$2"; rm -f "$1"; exec poweroff' sh "$scheduled" "$seconds" \
  >/dev/null 2>&1 </dev/null &
)sh";

constexpr const char* kSystemctl = R"sh(#!/bin/sh
# systemctl, of what this machine has: its power and cron. Of other units it says what systemd says
# of those that are not there.
now=''
for word in "$@"; do
  shift
  case $word in
    --now) now=1 ;;
    -*) ;;
    *) set -- "$@" "$word" ;;
  esac
done
command=${1-list-units}
[ $# -eq 0 ] || shift
case $command in
  poweroff|halt|reboot) exec "$command" ;;
  daemon-reload|daemon-reexec|reset-failed) exit 0 ;;
  is-system-running) echo running; exit 0 ;;
  start|stop|restart|reload|try-restart|reload-or-restart|status|is-active) ;;
  enable|disable|mask|unmask|is-enabled) ;;
  *) echo "systemctl: $command is not done on a simulated instance" >&2; exit 1 ;;
esac
if [ $# -eq 0 ]; then echo "Too few arguments." >&2; exit 1; fi

stopped=/run/cron.stopped pid=/run/crond.pid
cron_runs() { [ -r $pid ] && kill -0 "$(cat $pid)" 2>/dev/null; }
cron_start() { rm -f $stopped; cron_runs || /usr/sbin/cron; }
cron_stop() { : >$stopped; ! cron_runs || kill "$(cat $pid)"; rm -f $pid; }
of_cron() {
  case $command in
    start) cron_start ;;
    stop) cron_stop ;;
    restart|try-restart|reload|reload-or-restart) cron_stop; cron_start ;;
    enable) [ -z "$now" ] || cron_start ;;
    disable|mask) [ -z "$now" ] || cron_stop ;;
    unmask) ;;
    is-enabled) echo enabled ;;
    is-active) if [ -e $stopped ]; then echo inactive; return 3; else echo active; fi ;;
    status)
      echo "● cron.service - Regular background program processing daemon"
      if [ -e $stopped ]; then echo "     Active: inactive (dead)"; return 3; fi
      echo "     Active: active (running)" ;;
  esac
}
of_none() {
  case $command in
    stop) echo "Failed to stop $1: Unit $1 not loaded." >&2; return 5 ;;
    start|restart|reload|try-restart|reload-or-restart)
      echo "Failed to $command $1: Unit $1 not found." >&2; return 5 ;;
    enable|disable) echo "Failed to $command unit: Unit file $1 does not exist." >&2; return 1 ;;
    mask|unmask) echo "Unit $1 does not exist, proceeding anyway." >&2; return 0 ;;
    status) echo "Unit $1 could not be found." >&2; return 4 ;;
    is-active) echo inactive; return 3 ;;
    is-enabled)
      echo "Failed to get unit file state for $1: No such file or directory" >&2; return 1 ;;
  esac
}
status=0
for unit in "$@"; do
  case $unit in *.*) ;; *) unit=$unit.service ;; esac
  if [ "$unit" = cron.service ] && [ -x /usr/sbin/cron ]; then
    of_cron || status=$?
  elif [ -e "/etc/systemd/system/$unit" ]; then
    echo "systemctl: $command $unit: units of one's own are not run on a simulated instance" >&2
    status=1
  else
    of_none "$unit" || status=$?
  fi
done
exit $status
)sh";

constexpr const char* kService = R"sh(#!/bin/sh
# service NAME ACTION: as systemctl does it.
if [ $# -lt 2 ]; then echo "Usage: service NAME ACTION" >&2; exit 1; fi
exec systemctl "$2" "$1"
)sh";

constexpr const char* kCloudInit = R"sh(#!/bin/sh
# cloud-init status [--wait]: how far this machine's boot is.
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

}  // namespace

const std::map<std::string, std::string>& commands() {
  static const std::map<std::string, std::string> table{
      {"/usr/bin/cloud-init", kCloudInit}, {"/usr/bin/systemctl", kSystemctl},
      {"/usr/sbin/halt", kPowerOff},       {"/usr/sbin/poweroff", kPowerOff},
      {"/usr/sbin/reboot", kPowerOff},     {"/usr/sbin/service", kService},
      {"/usr/sbin/shutdown", kShutdown},
  };
  return table;
}

}  // namespace sim::guest::boot
