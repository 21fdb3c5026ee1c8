# Debian's compiler for 64-bit ARM, an emulator, and the libraries that spottrain and spotrun are built of; sourced.

# install_arm64_packages NAME…: those, and what else is named. Rather fails than takes a package of this machine away.
install_arm64_packages() {
  local packages=(g++-aarch64-linux-gnu qemu-user libeigen3-dev "$@") as_root=() name
  for name in libfmt-dev zlib1g-dev libxxhash-dev libcurl4-openssl-dev libpugixml-dev libssl-dev libstdc++6; do
    packages+=("$name:arm64")
  done
  dpkg-query -W "${packages[@]}" >/dev/null 2>&1 && return
  ((EUID == 0)) || as_root=(sudo)
  "${as_root[@]}" dpkg --add-architecture arm64 && "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-remove --no-install-recommends "${packages[@]}" && return
  "${as_root[@]}" dpkg --remove-architecture arm64 || true
  return 1
}
