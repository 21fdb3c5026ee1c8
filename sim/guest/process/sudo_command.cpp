#include "sim/guest/process/sudo_command.h"

namespace sim::guest {

std::string_view sudo_command() {
  return R"sh(#!/bin/sh
# sudo where the host has none that works: reads sudo's options and resets the environment as it
# does. Where all users are one the command has the rights that the caller has.
of() { sed -n "s/^Defaults $1 *+*= *\"\(.*\)\"/\1/p" /etc/sudoers.d/spotsim 2>/dev/null; }
path=$(of secure_path) kept="$(of env_keep) COLORTERM DISPLAY HOSTNAME LANG LANGUAGE LC_ALL LC_CTYPE
  LC_MESSAGES LS_COLORS PS1 PS2 TERM TZ XAUTHORITY"
user=root shell= login= all= only= set_home= background= found=
usage() {
  echo 'usage: sudo [-bEHiknSs] [-g group] [-u user] [VAR=value] [command [arg ...]]' >&2
  exit 1
}
option() {  # a name, and its value
  case $1 in
    u|user) user=${2#\#} ;;
    D|chdir) cd "$2" || exit 1 ;;
    preserve-env) kept="$kept $(echo "$2" | tr , ' ')" ;;
    C|close-from|g|group|h|host|p|prompt|R|chroot|r|role|T|command-timeout|t|type|U|other-user) ;;
    *) echo "sudo: unrecognized option '$1'" >&2; usage ;;
  esac
}
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    --login) login=1 ;;
    --shell) shell=1 ;;
    --preserve-env) all=1 ;;
    --set-home) set_home=1 ;;
    --background) background=1 ;;
    --list|--validate|--remove-timestamp|--reset-timestamp) only=1 ;;
    --askpass|--bell|--no-update|--non-interactive|--preserve-groups|--stdin) ;;
    --*=*) name=${1%%=*}; option "${name#--}" "${1#*=}" ;;
    --*) [ $# -gt 1 ] || usage; option "${1#--}" "$2"; shift ;;
    -?*)
      letters=${1#-}
      while [ -n "$letters" ]; do
        rest=${letters#?} letter=${letters%"${letters#?}"}
        letters=$rest
        case $letter in
          i) login=1 ;;
          s) shell=1 ;;
          E) all=1 ;;
          H) set_home=1 ;;
          b) background=1 ;;
          k|K|l|v) only=1 ;;
          A|B|N|n|P|S) ;;
          *)
            [ -n "$rest" ] || { [ $# -gt 1 ] || usage; rest=$2; shift; }
            option "$letter" "$rest"
            letters= ;;
        esac
      done ;;
    *) break ;;
  esac
  shift
done
while IFS=: read -r name x uid gid x home user_shell; do
  case $user in "$name"|"$uid") found=1; user=$name; break ;; esac
done </etc/passwd
[ "$found" ] || { echo "sudo: unknown user $user" >&2; exit 1; }

given=  # VAR=value before the command, quoted
while :; do
  case $1 in
    [A-Za-z_]*=*) given="$given '$(printf %s "$1" | sed "s/'/'\\\\''/g")'"; shift ;;
    *) break ;;
  esac
done
if [ "$login$shell" ]; then
  program=${SHELL:-$user_shell}
  [ -z "$login" ] || { program=$user_shell; cd "$home" || exit 1; }
  words=
  for word in "$@"; do
    words="$words $(printf %s "$word" | sed 's/[^A-Za-z0-9_$-]/\\&/g')"
  done
  [ $# = 0 ] && set -- "$program" || set -- "$program" -c "${words# }"
  [ -z "$login" ] || { shift; set -- "$program" -l "$@"; }
elif [ $# = 0 ]; then
  [ "$only" ] && exit 0
  usage
elif ! PATH=${path:-$PATH} command -v "$1" >/dev/null; then
  echo "sudo: $1: command not found" >&2
  exit 1
fi
command=$*
read -r x x users </proc/self/uid_map
if [ "$users" != 1 ] && [ "$(id -u)" != "$uid" ]; then
  set -- setpriv --reuid "$uid" --regid "$gid" --init-groups "$@"
fi
eval "set -- $given \"\$@\""
for name in $kept; do
  case $name in *[!A-Za-z0-9_]*) continue ;; esac
  eval "value=\${$name-} there=\${$name+1}"
  [ -z "$there" ] || set -- "$name=$value" "$@"
done
[ "$all" ] && [ -z "$set_home" ] && home=${HOME-$home}
set -- PATH="${path:-$PATH}" HOME="$home" USER="$user" LOGNAME="$user" SHELL="$user_shell" \
  MAIL="/var/mail/$user" SUDO_COMMAND="$command" SUDO_USER="${USER:-root}" \
  SUDO_UID="$(id -u)" SUDO_GID="$(id -g)" "$@"
[ "$all" ] || set -- -i "$@"
if [ "$background" ]; then env "$@" & else exec env "$@"; fi
)sh";
}

}  // namespace sim::guest
