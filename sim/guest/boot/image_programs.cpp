#include "sim/guest/boot/image_programs.h"

namespace sim::guest::boot {
namespace {

constexpr const char* kAsk = R"sh(#!/bin/sh
service=http://169.254.169.254/latest
token=$(curl -sf -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$service/api/token")
# ask PATH INSTEAD: what the metadata service has there, or what stands for nothing.
ask() {
  curl -sf -H "X-aws-ec2-metadata-token: $token" "$service/$1" || printf %s "$2"
}
)sh";

constexpr const char* kUbuntus = R"sh(
# ec2metadata [--NAME…]: values of the instance's metadata, all with their names if none is named.
names='ami-id ami-launch-index ami-manifest-path ancestor-ami-ids availability-zone
block-device-mapping instance-action instance-id instance-type local-hostname local-ipv4 kernel-id
mac profile product-codes public-hostname public-ipv4 public-keys ramdisk-id reservation-id
security-groups user-data'
value() {
  case $1 in
    availability-zone) at=meta-data/placement/availability-zone ;;
    public-keys) at=meta-data/public-keys/0/openssh-key ;;
    user-data) at=user-data ;;
    *) at=meta-data/$1 ;;
  esac
  ask "$at" unavailable
  echo
}
if [ $# = 0 ]; then
  for name in $names; do printf '%s: ' "$name"; value "$name"; done
fi
for option in "$@"; do
  name=${option#--}
  case " $(echo $names) " in
    *" $name "*) value "$name" ;;
    *) echo "ec2metadata: unknown option '$option'" >&2; exit 1 ;;
  esac
done
)sh";

constexpr const char* kAmazons = R"sh(
# ec2-metadata [OPTION…]: names and values of the instance's metadata, all if none is asked for;
# --quiet leaves out the names.
show() {
  [ -n "$quiet" ] || printf '%s: ' "$1"
  ask "$2" 'not available'
  echo
}
metadata() { show "$1" "meta-data/$1"; }
one() {
  case $1 in
    -a|--ami-id) metadata ami-id ;;
    -l|--ami-launch-index) metadata ami-launch-index ;;
    -m|--ami-manifest-path) metadata ami-manifest-path ;;
    -n|--ancestor-ami-ids) metadata ancestor-ami-ids ;;
    -b|--block-device-mapping) metadata block-device-mapping/ ;;
    -i|--instance-id) metadata instance-id ;;
    -t|--instance-type) metadata instance-type ;;
    -h|--local-hostname) metadata local-hostname ;;
    -o|--local-ipv4) metadata local-ipv4 ;;
    -k|--kernel-id) metadata kernel-id ;;
    -z|--availability-zone) show placement meta-data/placement/availability-zone ;;
    -R|--region) show region meta-data/placement/region ;;
    -c|--product-codes) metadata product-codes ;;
    -p|--public-hostname) metadata public-hostname ;;
    -v|--public-ipv4) metadata public-ipv4 ;;
    -u|--public-keys) show public-keys meta-data/public-keys/0/openssh-key ;;
    -r|--ramdisk-id) metadata ramdisk-id ;;
    -e|--reservation-id) metadata reservation-id ;;
    -s|--security-groups) metadata security-groups ;;
    -d|--user-data) show user-data user-data ;;
    *) echo "ec2-metadata: unknown option '$1'" >&2; exit 1 ;;
  esac
}
quiet='' asked=''
for option in "$@"; do
  case $option in
    -q|--quiet) quiet=1 ;;
    --all) ;;
    *) asked=1 ;;
  esac
done
[ -n "$asked" ] || set -- "$@" -a -l -m -n -b -i -t -h -o -k -z -c -p -v -u -r -e -s -d
for option in "$@"; do
  case $option in -q|--quiet|--all) ;; *) one "$option" ;; esac
done
)sh";

// Absent hardware and services. A script that continues after a failed command would hide this.
constexpr const char* kDocker = R"sh(#!/bin/sh
cat >&2 <<'END'
docker: command not available: simulated instances have no container runtime. Run what is in the
container directly; an image's files can be the instance's own (guest.images in docs/scenario.md).
END
exit 127
)sh";

constexpr const char* kNvidiaSmi = R"sh(#!/bin/sh
cat >&2 <<'END'
nvidia-smi: command not available: the machine that simulates this instance has no NVIDIA driver.
Simulated instances have its processors and devices; steps take the time that the job states.
END
exit 127
)sh";

}  // namespace

const std::map<std::string, std::string>& image_programs() {
  static const std::map<std::string, std::string> table{
      {"/usr/bin/ec2metadata", std::string(kAsk) + kUbuntus},
      {"/usr/bin/ec2-metadata", std::string(kAsk) + kAmazons},
      {"/usr/bin/docker", kDocker},
      {"/usr/bin/nvidia-smi", kNvidiaSmi},
  };
  return table;
}

}  // namespace sim::guest::boot
