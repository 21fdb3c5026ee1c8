"""cloud_init.py SPOTSIM: user data has the same effect in a guest as with the real cloud-init 22.4.
The real one runs in an overlay of this machine's root, in namespaces of its own. The test compares
what scripts print (and so their order and environment), warnings, and files with owner and mode."""
import base64
import difflib
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from support import fail, skip

spotsim = sys.argv[1]
VERSION = "22.4"
# What only one of both leaves, and why.
NOT_COMPARED = re.compile("|".join((
    r"obj\.pkl$|python-version$|cloud-config\.txt$",     # cloud-init's own, read by nobody else
    r"vendor",                                           # EC2 has none
    r"\.i$|/datasource$|previous-datasource$",           # names NoCloud, or cloud-init's headers
    r"sem/(consume_data|config_(set_hostname|users_groups|scripts_vendor|runcmd))",  # ours: if done
    r"data/set-hostname$|/seed(/|$)|boot-finished$|(status|result)\.json$")))
# Modules that change nothing but what a chroot shows. The real list has disks and keys as well.
REAL_CONFIG = """
datasource_list: [NoCloud]
network: {config: disabled}
users: []
cloud_init_modules: [bootcmd, write-files, set_hostname, users-groups]
cloud_config_modules: [timezone, runcmd]
cloud_final_modules:
  [package-update-upgrade-install, write-files-deferred, scripts-vendor, scripts-per-once,
   scripts-per-boot, scripts-per-instance, scripts-user, final-message]
system_info: {distro: debian, paths: {cloud_dir: /var/lib/cloud/}}
"""
# In a private tree of mounts: no device of this machine is in the overlay's /dev.
REAL_ROOT = r"""
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs disk
mkdir disk/upper disk/work disk/root
mount -t overlay overlay -o lowerdir=/,upperdir=$PWD/disk/upper,workdir=$PWD/disk/work disk/root
cd disk/root
mount -t proc proc proc
for folder in run tmp dev; do mount -t tmpfs tmpfs $folder; done
for device in null zero urandom random; do
  : >dev/$device
  mount --bind /dev/$device dev/$device
done
ln -s /proc/self/fd dev/fd
rm -rf var/lib/cloud var/log/cloud-init* etc/cloud/cloud-init.disabled
find etc/cloud/cloud.cfg.d -type f ! -name 05_logging.cfg -delete
mkdir -p var/lib/cloud/seed/nocloud
cp "$1" etc/cloud/cloud.cfg
cp "$2" var/lib/cloud/seed/nocloud/user-data
cd var/lib/cloud/seed/nocloud
printf 'instance-id: i-0123456789abcdef0\nlocal-hostname: here\n' >meta-data
cd - >/dev/null
exec chroot . /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  LANG=C.UTF-8 /bin/bash -c 'cd /
    for stage in "init --local" init "modules --mode=config" "modules --mode=final"; do
      cloud-init $stage </dev/null
    done >/dev/null 2>&1
    until [ -e /var/log/listed ]; do read -t 0.05 <> <(:) || :; done
    cat /var/log/cloud-init-output.log'
"""
# Waits in the background until all has been done, and prints the files.
LIST = """
(until [ -e /var/lib/cloud/instance/boot-finished ]; do sleep 0.1; done; sleep 0.2; echo FILES
find /var/lib/cloud /made /etc/hostname /etc/timezone -printf '%p %y %m %u:%g\\n' | sort
for file in $(find /var/lib/cloud/ /made -type f -size -4k | grep -v '[.]pkl$' | sort); do
  echo "== $file"; cat "$file"; echo
done
: >/var/log/listed; poweroff) &
"""
SAY = """echo "$0 in $PWD as $(id -un), umask $(umask), home=${HOME-unset}, $# arguments, """ \
      """instance ${INSTANCE_ID:+known}"\n"""
CONFIG = """#cloud-config
bootcmd:
- echo bootcmd ${INSTANCE_ID:+known}
- [sh, -c, 'echo "a list: $1"', sh, it's $HOME]
write_files:
- {path: /made/plain, content: "plain\\n"}
- {path: /made/deep/er/base64, encoding: b64, content: aGVsbG8=, permissions: '0600'}
- {path: /made/gzip, encoding: gz+b64, content: GZIP, permissions: 0755}
- {path: /made/plain, append: true, content: "more\\n"}
- {path: /made/late, defer: true, content: "late\\n", owner: 'daemon:daemon', permissions: '4755'}
runcmd:
- echo runcmd $(cat /made/plain)
- [echo, 'a  list', "it's", '$HOME']
- ls /made/late
hostname: named
timezone: Asia/Tokyo
""".replace("GZIP", base64.b64encode(gzip.compress(b"zipped\n", mtime=0)).decode())
OTHER_CONFIG = """#cloud-config
bootcmd: [echo bootcmd of the second]
merge_how: 'list(append)+dict(recurse_array)+str()'
"""


def script(text=""):
    return "#!/bin/bash\n" + SAY + text


def message(*parts, boundary="=="):
    """A MIME message of (type, text), (type, text, file name) or a whole part."""
    out = f'Content-Type: multipart/mixed; boundary="{boundary}"\nMIME-Version: 1.0\n\n'
    for kind, text, *name in parts:
        disposition = f'Content-Disposition: attachment; filename="{name[0]}"\n' if name else ""
        out += f"--{boundary}\nContent-Type: {kind}\n{disposition}\n{text}\n"
    return out + f"--{boundary}--\n"


CASES = {
    "a script": script("echo to stderr >&2\nexit 3\n"),
    "a message of parts": message(
        ("text/cloud-boothook", "#!/bin/sh\nexit 5\n", "bad-hook"),
        ("text/x-shellscript", "#!/bin/sh\n" + SAY.rstrip("\n"), "no-line-end"),
        ("text/x-shellscript", script(), "zz.sh"),
        ("text/cloud-config", CONFIG),
        ("text/x-shellscript", script("kill -9 $$\n")),
        ("text/cloud-boothook", "#!/bin/sh\n" + SAY, "hook"),
        ("text/x-shellscript-per-boot", script(), "boot.sh"),
        ("text/x-shellscript-per-instance", script(), "instance.sh"),
        ("text/x-shellscript-per-once", script(), "once.sh"),
        ("text/plain", script()),
        ("text/x-shellscript", "no interpreter\n"),
        ("text/cloud-config", OTHER_CONFIG),
        ("text/x-shellscript", "#!/usr/bin/python3\nprint('python')\n", "a b/c.py")),
    "a command that is a boolean": "#cloud-config\nbootcmd: [echo bootcmd, true]\n"
                                   "runcmd: [echo runcmd, 12]\n",
    "gzip of cloud-config": gzip.compress(CONFIG.encode(), mtime=0),
}


def with_list(data):
    """The same user data as a part of a message, beside the script that lists the files."""
    if isinstance(data, str) and data.startswith("#!/bin/bash"):
        return data.replace("\n", "\n" + LIST, 1).encode()
    lister = "#!/bin/bash\n" + LIST
    if isinstance(data, str) and data.startswith("Content-Type"):
        return data.replace(
            "--==\n", "--==\nContent-Type: text/x-shellscript\nContent-Disposition: "
            f'attachment; filename="lister"\n\n{lister}\n--==\n', 1).encode()
    binary = data if isinstance(data, bytes) else data.encode()
    kind = "application/gzip" if isinstance(data, bytes) else "text/cloud-config"
    head = ('Content-Type: multipart/mixed; boundary="=="\nMIME-Version: 1.0\n\n--==\n'
            'Content-Type: text/x-shellscript\nContent-Disposition: attachment; filename="lister"\n'
            f"\n{lister}\n--==\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n\n")
    return (head + base64.encodebytes(binary).decode() + "\n--==--\n").encode()


def real(folder, data):
    (folder / "disk").mkdir()
    (folder / "cloud.cfg").write_text(REAL_CONFIG)
    (folder / "data").write_bytes(data)
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--uts", "--ipc", "--net", "--fork", "--kill-child",
         "bash", "-c", REAL_ROOT, "-", folder / "cloud.cfg", folder / "data"],
        cwd=folder, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    if done.returncode != 0:
        fail(f"cloud-init: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ours(folder, data):
    (folder / "data").write_bytes(data)
    (folder / "job").mkdir()
    shutil.copy(folder / "data", folder / "job/data")
    (folder / "prices.csv").write_text(
        "az,instance_type,timestamp,price_usd_h\n"
        "us-west-2a,p3.2xlarge,2026-03-01T00:00:00Z,0.95\n"
        "us-west-2a,p3.2xlarge,2026-03-02T00:00:00Z,0.95\n")
    (folder / "data.yaml").write_text("""name: data
start: 2026-03-01T05:30:00Z
limit: 1h
evidence: scripts
market: {prices: [prices.csv]}
operator:
  files: job
  script: |
    aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge \\
      --user-data fileb://data
expect: {}
""")
    done = subprocess.run([spotsim, "run", folder / "data.yaml", "--out", folder / "out"],
                          capture_output=True, text=True, timeout=120, check=False)
    consoles = list((folder / "out/console").glob("i-*.log"))
    if len(consoles) != 1:
        fail(f"spotsim: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return consoles[0].read_text(errors="replace")


def seen(console):
    """What is compared: lines of programs, warnings, and the files."""
    console = re.sub(r"\bi-[0-9a-f]{17}\b", "i-ID", console)
    printed, _, listed = console.partition("FILES\n")
    own = re.compile(r"^(Cloud-init v\. |ci-info: |No '\w+' modules to run)")
    # docs/boot.md: nothing is checked against the schema, and what is no command is warned of once.
    other = re.compile(r"schema\.py\[|Failed to shellify|Running module (bootcmd|runcmd) ")
    warning = re.compile(r"^\S+ \S+ - (\S+\[WARNING\]: .*)")
    out, warnings = [], []
    for line in printed.splitlines():
        if other.search(line):
            continue
        if found := warning.match(line):
            warnings.append(re.sub(r" \(<module .*?>\)", "", found[1]))
        elif not own.match(line):
            out.append(line)
    files, _, texts = listed.partition("== ")
    kept = [line for line in files.splitlines() if not NOT_COMPARED.search(line.split()[0])]
    for one in texts.split("\n== "):
        path, _, text = one.partition("\n")
        if "/sem/" not in path and not NOT_COMPARED.search(path):
            kept += [f"{path}: {line}" for line in text.rstrip().splitlines()]
    return ["PRINTED", *out, "WARNED", *sorted(set(warnings)), "FILES", *kept]


if os.geteuid() != 0:
    skip("not root: cloud-init needs an overlay of its own")
if not shutil.which("cloud-init") or not shutil.which("aws"):
    skip("cloud-init and aws-cli are needed (apt-get install cloud-init awscli)")
version = subprocess.run(["cloud-init", "--version"], capture_output=True, text=True, check=True)
if f" {VERSION}" not in version.stdout + version.stderr:
    skip(f"cloud-init {VERSION} is needed, here is {version.stdout.strip()}")
wrong = []
for name, data in CASES.items():
    if len(sys.argv) > 2 and sys.argv[2] not in name:
        continue
    with tempfile.TemporaryDirectory(prefix="cloud-init-") as folder:
        places = [pathlib.Path(folder, who) for who in ("real", "ours")]
        for place in places:
            place.mkdir()
        expected = seen(real(places[0], with_list(data)))
        found = seen(ours(places[1], with_list(data)))
        difference = list(difflib.unified_diff(expected, found, "cloud-init", "spotsim", n=1,
                                               lineterm=""))
        if difference:
            wrong.append(f"{name}:\n" + "\n".join(difference))
if wrong:
    fail("\n\n".join(wrong))
print(f"{len(CASES)} user data do what they do under cloud-init {VERSION}")
