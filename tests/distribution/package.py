"""package.py CMAKE BUILD [install]: the Debian package of what BUILD has built.

It has the programs, manual pages, completions, scenarios and schemas, is small, and Debian's
lintian finds nothing wrong with it. With `install`
apt installs it in a Debian 12 that debootstrap makes, where az-hop runs as on any machine.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import fail, skip

cmake, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MOST_BYTES = 15_000_000
FILES = ["bin/spotsim", "bin/spotrun", "bin/spottrain", "share/man/man1/spotsim.1.gz",
         "share/man/man1/spotrun.1.gz", "share/man/man1/spottrain.1.gz",
         "share/bash-completion/completions/spotsim", "share/zsh/site-functions/_spotsim",
         "share/fish/vendor_completions.d/spotsim.fish", "share/spotsim/scenarios/az-hop.yaml",
         "share/spotsim/docs/scenario.schema.json", "share/spotsim/docs/result.schema.json",
         "share/spotsim/docs/README.md", "share/doc/spotsim/copyright",
         "share/doc/spotsim/changelog.gz",
         "lib/cmake/spotsim/spotsimConfig.cmake"]
# A chroot may not make user namespaces, which the sandbox needs: the new root takes the old one's
# place in a mount namespace.
IN_ROOT = """set -e
mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount --rbind /sys "$0/sys"
mkdir -p "$0/old"; cd "$0"; pivot_root . old; cd /; umount -l /old
mount -t tmpfs tmpfs /tmp
exec sh -c "$1" """


def output(*words, **options):
    """What a command prints, which must succeed."""
    ran = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False, **options)
    if ran.returncode:
        fail(f"{' '.join(map(str, words))}: exit {ran.returncode}\n{ran.stdout[-3000:]}")
    return ran.stdout


def make_package(folder):
    # The tests' own build is not the one to publish (installed_flags.py of tests/run).
    output(cmake.with_name("cpack"), "-G", "DEB", "-B", folder, "--config",
           build / "CPackConfig.cmake", cwd=folder,
           env={**os.environ, "SPOTSIM_INSTALL_AS_BUILT": "1"})
    [package] = folder.glob("spotsim_*.deb")
    return package


def check_contents(package, folder):
    output("dpkg-deb", "-x", package, folder / "unpacked")
    for file in FILES:
        path = folder / "unpacked/usr" / file
        if not path.exists() or path.stat().st_size == 0:
            fail(f"the package has no {file}")
    if package.stat().st_size > MOST_BYTES:
        fail(f"the package has {package.stat().st_size} bytes, at most {MOST_BYTES} are expected")
    depends = output("dpkg-deb", "-f", package, "Depends")
    for name in ("libc6", "libyaml-cpp", "git", "xfsprogs"):
        if name not in depends:
            fail(f"the package does not depend on {name}: {depends}")
    if shutil.which("man"):
        page = output("man", "-l", folder / "unpacked/usr/share/man/man1/spotsim.1.gz",
                      env={**os.environ, "MANWIDTH": "100"})
        for words in ("spotsim run [OPTIONS] SCENARIO", "EXIT STATUS", "--check-against"):
            if words not in page:
                fail(f"the manual page lacks {words}")
    if shutil.which("lintian"):
        output("lintian", "--allow-root", "--fail-on", "error,warning", package)
    print(f"{package.name}: {package.stat().st_size} bytes")


def mirror():
    """The mirror of Debian from which this machine installs packages."""
    for file in ["/etc/apt/sources.list", *pathlib.Path("/etc/apt/sources.list.d").glob("*")]:
        if os.path.exists(file):
            for line in pathlib.Path(file).read_text().splitlines():
                for word in line.split():
                    if "://" in word and word.rstrip("/").endswith("/debian"):
                        return word
    return skip("apt has no mirror of Debian here")


def install(package, folder):
    if os.geteuid() or not shutil.which("debootstrap"):
        skip("not root, or no debootstrap")
    root = folder / "root"
    root.mkdir()
    # In memory: dpkg syncs each file.
    output("mount", "-t", "tmpfs", "-o", "size=2g", "tmpfs", root)
    try:
        output("debootstrap", "--variant=minbase", "bookworm", root, mirror())
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        shutil.copy(package, root / "root/spotsim.deb")
        output("chroot", root, "apt-get", "update", "-qq")
        output("chroot", root, "apt-get", "install", "-y", "-qq", "--no-install-recommends",
               "/root/spotsim.deb", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
        said = output("unshare", "--mount", "--pid", "--fork", "--propagation", "private", "sh",
                      "-c", IN_ROOT, root, "cd /root && spotsim run "
                      "/usr/share/spotsim/scenarios/az-hop.yaml --quiet")
        if "az-hop: completed" not in said:
            fail(said)
        print(said)
    finally:
        output("umount", "-l", root)


with tempfile.TemporaryDirectory(prefix="package-") as name:
    made = make_package(pathlib.Path(name))
    if "install" in sys.argv:
        install(made, pathlib.Path(name))
    else:
        check_contents(made, pathlib.Path(name))
