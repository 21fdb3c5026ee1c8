#include "sim/guest/services/commands.h"

namespace sim::guest::services {
namespace {

// Requests that the script cannot answer go to the manager, through the FIFOs of manager.h.
constexpr const char* kSystemctl = R"sh(#!/bin/sh
# systemctl, of what this machine has: its power, cron, and services.
export PATH="${0%/*}:$PATH:/usr/sbin"
now=- quiet='' all="$*"
while [ $# -gt 0 ]; do
  case $1 in
    --now) now=now ;;
    -q|--quiet) quiet=1 ;;
    -t|-p|-n|-o|-s|-H|-M) shift ;;
    -*) ;;
    *) words="${words-} $1" ;;
  esac
  shift
done
set -f; set -- ${words-}; set +f
command=${1-list-units}
[ $# -eq 0 ] || shift
case $command in
  poweroff|halt|reboot) exec "$command" ;;
  daemon-reload|daemon-reexec) exit 0 ;;
  is-system-running) echo running; exit 0 ;;
  start|stop|restart|reload|try-restart|reload-or-restart|status|is-active|is-failed|cat) ;;
  enable|disable|mask|unmask|is-enabled|list-units|list-timers) ;;
  reenable|preset) command=enable ;;
  reset-failed) [ $# -gt 0 ] || exit 0 ;;
  *) echo "systemctl: $command is not done on a simulated instance" >&2; exit 1 ;;
esac
case $#$command in
  *list-*) set -- ;;
  0*) echo "Too few arguments." >&2; exit 1 ;;
esac
case $command in
  status|is-*|cat|list-*) ;;
  *) if [ "$(id -u)" != 0 ]; then
       echo "Failed to $command $1: Interactive authentication required." >&2; exit 1
     fi ;;
esac

stopped=/run/cron.stopped pid=/run/crond.pid
cron_runs() { [ -r $pid ] && kill -0 "$(cat $pid)" 2>/dev/null; }
cron_start() { rm -f $stopped; cron_runs || /usr/sbin/cron; }
cron_stop() { : >$stopped; ! cron_runs || kill "$(cat $pid)"; rm -f $pid; }
of_cron() {
  case $command in
    start) cron_start ;;
    stop) cron_stop ;;
    restart|try-restart|reload|reload-or-restart) cron_stop; cron_start ;;
    enable) [ "$now" = - ] || cron_start ;;
    disable|mask) [ "$now" = - ] || cron_stop ;;
    is-enabled) echo enabled ;;
    is-active) if [ -e $stopped ]; then echo inactive; return 3; else echo active; fi ;;
    status)
      echo "● cron.service - Regular background program processing daemon"
      if [ -e $stopped ]; then echo "     Active: inactive (dead)"; return 3; fi
      echo "     Active: active (running)" ;;
  esac
}

requests=/run/systemd/requests
ask() {  # COMMAND FLAG UNIT…
  if [ ! -p $requests ]; then
    echo "System has not been booted with systemd as init system (PID 1). Can't operate." >&2
    return 1
  fi
  folder=$(mktemp -d) && mkfifo "$folder/answer" || return 1
  exec 3<>"$folder/answer"
  printf '%s\n' "$folder/answer $*" >$requests
  while IFS= read -r line <&3; do
    case $line in
      o*) printf '%s\n' "${line#o}" ;;
      e*) printf '%s\n' "${line#e}" >&2 ;;
      s*) break ;;
    esac
  done
  rm -r "$folder"
  return "${line#s}"
}

[ -z "$quiet" ] || exec >/dev/null
units='' status=0
for unit in "$@"; do
  case $unit in
    *.service|*.timer|*.socket|*.target|*.mount|*.path|*.slice) ;;
    *) unit=$unit.service ;;
  esac
  case $unit in
    cron.service|crond.service) [ -x /usr/sbin/cron ] && { of_cron || status=$?; continue; } ;;
  esac
  units="$units $unit"
done
if [ -n "$units" ] || [ $# -eq 0 ]; then ask $command $now $units || status=$?; fi
exit $status
)sh";

constexpr const char* kService = R"sh(#!/bin/sh
# service NAME ACTION: as systemctl does it.
if [ $# -lt 2 ]; then echo "Usage: service NAME ACTION" >&2; exit 1; fi
exec systemctl "$2" "$1"
)sh";

constexpr const char* kJournalctl = R"sh(#!/bin/sh
# journalctl [-u UNIT] [-n LINES] [-f] [-r]: of what services print and what is sent to syslog.
file='' lines='' follow='' reverse=''
while [ $# -gt 0 ]; do
  case $1 in
    -u|--unit) shift; unit=${1-} ;;
    -u*) unit=${1#-u} ;;
    --unit=*) unit=${1#--unit=} ;;
    -[a-z]*u) shift; unit=${1-} ;;
    -n|--lines) case ${2-} in ''|-*) lines=10 ;; *) lines=$2; shift ;; esac ;;
    -n*) lines=${1#-n} ;;
    --lines=*) lines=${1#--lines=} ;;
    -f|--follow) follow=1 ;;
    -r|--reverse) reverse=1 ;;
    -b|-e|-x|-xe|-ex|-a|-q|-k|--no-pager|--boot) ;;
    --since=*|--until=*|--output=*) ;;
    -o|-p|-t|-S|-U|--since|--until) shift ;;
    *) echo "journalctl: $1 is not done on a simulated instance" >&2; exit 1 ;;
  esac
  shift
done
if [ -n "${unit-}" ]; then
  case $unit in *.*) ;; *) unit=$unit.service ;; esac
  file=/run/log/units/$unit
else
  file=/var/log/syslog
  [ -e $file ] || file=/var/log/messages
fi
if [ ! -e "$file" ] && [ -z "$follow" ]; then echo "-- No entries --"; exit 0; fi
if [ -n "$follow" ]; then exec tail -n "${lines:-10}" -F "$file"; fi
if [ -n "$reverse" ]; then tail -n "${lines:-+1}" "$file" | tac; exit; fi
exec tail -n "${lines:-+1}" "$file"
)sh";

constexpr const char* kHostnamectl = R"sh(#!/bin/sh
# hostnamectl [status | hostname [NAME] | set-hostname NAME]
while [ $# -gt 0 ]; do case $1 in -*) shift ;; *) break ;; esac; done
case ${1-status} in
  hostname|set-hostname)
    if [ $# -lt 2 ]; then exec hostname; fi
    if [ "$(id -u)" != 0 ]; then
      echo "Could not set static hostname: Interactive authentication required." >&2; exit 1
    fi
    printf '%s\n' "$2" >/etc/hostname
    exec hostname "$2" ;;
  status)
    echo "   Static hostname: $(cat /etc/hostname)"
    echo "    Virtualization: xen"
    echo "  Operating System: $(. /etc/os-release; echo "$PRETTY_NAME")"
    echo "            Kernel: Linux $(uname -r)"
    echo "      Architecture: x86-64" ;;
  *) echo "hostnamectl: $1 is not done on a simulated instance" >&2; exit 1 ;;
esac
)sh";

constexpr const char* kTimedatectl = R"sh(#!/bin/sh
# timedatectl [status | list-timezones | set-timezone ZONE | set-ntp BOOL]
zones=/usr/share/zoneinfo
while [ $# -gt 0 ]; do case $1 in -*) shift ;; *) break ;; esac; done
case ${1-status} in
  set-timezone)
    if [ "$(id -u)" != 0 ]; then
      echo "Failed to set time zone: Interactive authentication required." >&2; exit 1
    fi
    if [ -z "${2-}" ] || [ ! -f "$zones/$2" ]; then
      echo "Failed to set time zone: Invalid or not installed time zone '${2-}'" >&2; exit 1
    fi
    rm -f /etc/timezone
    ln -sf "$zones/$2" /etc/localtime
    printf '%s\n' "$2" >/etc/timezone ;;
  set-ntp) ;;
  list-timezones) cd $zones && find [A-Z]*/* -type f | sort; echo UTC ;;
  status|show)
    echo "               Local time: $(date '+%a %Y-%m-%d %H:%M:%S %Z')"
    echo "           Universal time: $(date -u '+%a %Y-%m-%d %H:%M:%S UTC')"
    zone=$(cat /etc/timezone 2>/dev/null || echo UTC)
    echo "                Time zone: $zone ($(date '+%Z, %z'))"
    echo "System clock synchronized: yes"
    echo "              NTP service: active" ;;
  *) echo "timedatectl: $1 is not done on a simulated instance" >&2; exit 1 ;;
esac
)sh";

}  // namespace

const std::map<std::string, std::string>& commands() {
  static const std::map<std::string, std::string> table{
      {"/usr/bin/hostnamectl", kHostnamectl}, {"/usr/bin/journalctl", kJournalctl},
      {"/usr/bin/systemctl", kSystemctl},     {"/usr/bin/timedatectl", kTimedatectl},
      {"/usr/sbin/service", kService},
  };
  return table;
}

}  // namespace sim::guest::services
