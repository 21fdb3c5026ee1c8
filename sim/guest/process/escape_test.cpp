// Attempts of tuning scripts in images and of a container-escape checklist to change the host. The
// host must not change.
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "sim/guest/process/host_for_test.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;
using test::HostWorld;

// Every line works on EC2, and here. The value that is written is the host's own, in case the write
// reaches the host.
constexpr const char* kTuning = R"sh(set -e
cat /proc/sys/vm/swappiness > /tmp/value
cat /tmp/value > /proc/sys/vm/swappiness
sysctl -q -w vm.swappiness=7
[ "$(sysctl -n vm.swappiness)" = 7 ]
echo 3 > /proc/sys/vm/drop_caches
sysctl -q -w net.core.rmem_max=16777216 net.core.somaxconn=4096 fs.file-max=2097152
[ "$(cat /proc/sys/net/core/rmem_max)" = 16777216 ]
[ "$(cat /proc/sys/net/core/somaxconn)" = 4096 ]
hostname trainer; [ "$(cat /proc/sys/kernel/hostname)" = trainer ]
for file in /sys/kernel/mm/transparent_hugepage/enabled; do
  [ ! -e $file ] || echo never > $file
done
[ ! -e /sys/block/xvda/queue/read_ahead_kb ] || echo 128 > /sys/block/xvda/queue/read_ahead_kb
echo done
)sh";

// Actions that need root.
constexpr const char* kLimits = R"sh(set -e
ulimit -n 65536; ulimit -l unlimited; nice -n -5 true
echo done
)sh";

// Each line of the script prints one line. "out" means a successful escape.
constexpr const char* kShellChecklist = R"sh(
refused() {
  name=$1; shift
  if "$@" >/dev/null 2>&1; then echo "out: $name"; else echo "in: $name"; fi
}
written() { refused "$1" dd if=/dev/null of=$1 conv=notrunc,nocreat oflag=append; }
refused 'sys writable' mount -o remount,rw /sys
refused 'sys bound writable' mount -o remount,rw,bind /sys
refused 'programs writable' mount -o remount,rw,bind /var/lib/spotsim/commands
mkdir -p /tmp/a
mount --bind /var/lib/spotsim/commands /tmp/a &&
  refused 'copy of a mount writable' mount -o remount,rw,bind /tmp/a
refused 'another proc' mount -t proc none /tmp/a
refused 'another sys' mount -t sysfs none /tmp/a
refused 'cgroups' mount -t cgroup2 none /tmp/a
refused 'cgroups v1' mount -t cgroup -o cpu none /tmp/a
refused 'cgroup namespace' unshare -C true
refused 'debugfs' mount -t debugfs none /tmp/a
refused 'tracefs' mount -t tracefs none /tmp/a
refused 'settings uncovered' umount /proc/sys/vm
refused 'settings uncovered lazily' umount -l /proc/sys/kernel
refused 'settings beside' mount --bind /proc /tmp/a
refused 'new user namespace, another proc' unshare -Urmpf --mount-proc true
for file in /proc/sysrq-trigger /sys/power/state /sys/kernel/uevent_helper /sys/kernel/oops_count \
    /proc/irq/default_smp_affinity /dev/mem /dev/kmem /dev/port /dev/kmsg /dev/sda /dev/vda \
    /dev/nvme0n1 /dev/loop-control /dev/fuse /dev/kvm /dev/cpu/0/msr; do written $file; done
refused 'memory' head -c1 /proc/kcore
refused 'memory device node' mknod /tmp/mem c 1 1
refused 'disk device node' mknod /dev/disk b 8 0
refused 'mode of a device' chmod 0666 /dev/null
owner=$(stat -c %u /dev/null); chown 1 /dev/null 2>/dev/null
[ "$(stat -c %u /dev/null)" = "$owner" ] && echo -n 'in' || echo -n 'out'
echo ': owner of a device'
refused 'the simulator program' ls -L /proc/1/exe
refused 'the simulator files' ls /proc/1/root/
refused 'modules' insmod /lib/modules/none.ko
[ -z "$(ls /sys/fs/cgroup 2>/dev/null)" ] && echo 'in: cgroup files' || echo 'out: cgroup files'
[ "$(cat /proc/keys 2>/dev/null | wc -l)" = 0 ] && echo 'in: keys' || echo 'out: keys'
[ "$(ls -d /proc/[0-9]* | wc -l)" -lt 20 ] && echo 'in: processes' || echo 'out: processes'
)sh";

// Calls with arguments that would have no effect: EPERM must come before the arguments are checked.
constexpr const char* kCallChecklist = R"sh(
cat > /tmp/calls.py <<'PYTHON'
import ctypes
call = ctypes.CDLL(None, use_errno=True).syscall
for name, number in [("init_module", 175), ("finit_module", 313), ("delete_module", 176),
                     ("kexec_load", 246), ("kexec_file_load", 320), ("bpf", 321),
                     ("perf_event_open", 298), ("add_key", 248), ("request_key", 249),
                     ("keyctl", 250), ("acct", 163),
                     ("quotactl", 179), ("open_by_handle_at", 304), ("iopl", 172),
                     ("ioperm", 173), ("clock_settime", 227), ("settimeofday", 164),
                     ("adjtimex", 159), ("clock_adjtime", 305)]:
    result = call(number, -1, 0, 0, 0, 0)
    print("in:" if result == -1 and ctypes.get_errno() == 1 else "out:", name)
for name, number in [("swapon", 167), ("swapoff", 168)]:  # they do nothing, /proc/swaps tells
    print("in:" if call(number, -1, 0, 0, 0, 0) == 0 else "out:", name)
for name, number in [("mount_setattr", 442), ("open_tree_attr", 467), ("io_uring_setup", 425)]:
    result = call(number, -1, 0, 0, 0, 0)
    print("in:" if result == -1 and ctypes.get_errno() == 38 else "out:", name)
PYTHON
python3 /tmp/calls.py
)sh";

// All ways by which the guest's root could read its init, and thus the simulator from which it was
// forked: the caller's environment. The secret is a number that is not in this text.
constexpr const char* kInitChecklist = R"sh(
cat > /tmp/init.py <<'PYTHON'
import ctypes, glob, re
libc = ctypes.CDLL(None, use_errno=True)
def refused(name, number, *arguments):
    result = libc.syscall(number, *[ctypes.c_long(word) for word in arguments])
    print("in:" if result == -1 and ctypes.get_errno() == 1 else "out:", name, ctypes.get_errno())
room = ctypes.create_string_buffer(4096)
here = (ctypes.c_ulong * 2)(ctypes.addressof(room), 4096)
there = (ctypes.c_ulong * 2)(0x400000, 4096)
init = libc.syscall(434, 1, 0)  # pidfd_open
refused("attach", 101, 16, 1, 0, 0)
refused("seize", 101, 0x4206, 1, 0, 0)
for name, number in [("process_vm_readv", 310), ("process_vm_writev", 311)]:
    refused(name, number, 1, ctypes.addressof(here), 1, ctypes.addressof(there), 1, 0)
for descriptor in range(3):
    refused("pidfd_getfd", 438, init, descriptor, 0)
refused("setns", 308, init, 0x00020000)
refused("kcmp", 312, 1, 1, 0, 0, 0)
def read(path):
    try:
        with open(path, "rb") as file: return file.read()
    except OSError: return b""
for file in ["environ", "mem", "maps", "fd/1", "auxv"]:
    print("in:" if read("/proc/1/" + file) == b"" else "out:", file)
def memory(process):
    for line in read(process + "/maps").decode(errors="replace").splitlines():
        begin, end, mode = re.match("([0-9a-f]+)-([0-9a-f]+) (....)", line).groups()
        if mode.startswith("rw"):
            with open(process + "/mem", "rb", 0) as file:
                file.seek(int(begin, 16))
                try: yield file.read(int(end, 16) - int(begin, 16))
                except OSError: pass
secret = re.compile(b"secret-" + b"[0-9]{6}")
for process in glob.glob("/proc/[0-9]*"):
    name = read(process + "/comm").decode().strip()
    if secret.search(read(process + "/environ")): print("out: environment of", name)
    if any(secret.search(part) for part in memory(process)): print("out: memory of", name)
print("in: environment")
PYTHON
python3 /tmp/init.py
)sh";

// A device node on a volume, made with the file system's own tools, opens nothing, however the
// volume is mounted.
constexpr const char* kVolumeChecklist = R"sh(
while [ ! -b /dev/xvdf ]; do sleep 1; done
mkfs.ext4 -q /dev/xvdf
debugfs -w -R 'mknod zero c 1 5' /dev/xvdf >/dev/null 2>&1
mkdir -p /data /tmp/a
tried() { if head -c1 $1/zero >/dev/null 2>&1; then echo "out: $2"; else echo "in: $2"; fi; }
mount /dev/xvdf /data; [ -c /data/zero ] && tried /data 'device node'
mount -o remount,dev /data; tried /data 'remounted'
mount -o remount,bind,dev /data; tried /data 'remounted here'
mount --bind /data /tmp/a; mount -o remount,bind,dev /tmp/a; tried /tmp/a 'bound'
mount -o remount,ro /data
touch /data/file 2>/dev/null && echo 'out: read-only' || echo 'in: read-only'
mount -t proc /dev/xvdf /tmp/a 2>/dev/null
[ -e /tmp/a/self ] && echo 'out: proc' || echo 'in: proc'
mount -o remount,rw /dev/xvdf /var/lib/spotsim/commands 2>/dev/null
touch /var/lib/spotsim/commands/file 2>/dev/null && echo 'out: programs' || echo 'in: programs'
[ -w /sys/block/xvdf/queue/scheduler ] && echo none > /sys/block/xvdf/queue/scheduler &&
  echo "in: $(cat /sys/block/xvdf/queue/scheduler)"
)sh";

// Actions of root on its own disk.
constexpr const char* kDiskScript = R"sh(set -e
while [ ! -b /dev/xvdf ]; do sleep 1; done
mkfs.xfs -q /dev/xvdf; mkdir -p /data; mount /dev/xvdf /data
fsfreeze -f /data; fsfreeze -u /data; fstrim /data || true; xfs_growfs /data >/dev/null
[ "$(echo $(lsblk -ndo NAME))" = 'xvda xvdf' ]
[ -b /dev/xvda1 ]; head -c1 /dev/xvda1 2>/dev/null && exit 1
blockdev --setra 4096 /dev/xvdf; blockdev --flushbufs /dev/xvdf
mount -o remount,noatime /data; grep -q '/data .*noatime' /proc/mounts
umount /data; mkfs.ext4 -q -F /dev/xvdf; tune2fs -e panic /dev/xvdf >/dev/null
mount /dev/xvdf /data; grep -q '/data .*errors=remount-ro' /proc/mounts; fstrim /data
! mount -o remount,errors=panic /data 2>/dev/null
echo done
)sh";

// Properties of the host that a guest could have changed.
std::map<std::string, std::string> host_state() {
  std::map<std::string, std::string> out;
  for (const std::string file :
       {"/proc/sys/vm/swappiness", "/proc/sys/fs/file-max", "/proc/sys/net/core/rmem_max",
        "/proc/sys/net/core/somaxconn", "/proc/sys/kernel/hostname",
        "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/swaps"}) {
    std::ifstream in(file);
    std::getline(in, out[file], '\0');
  }
  for (const std::string file : {"/dev/null", "/proc/self/exe", "/sys", "/opt"}) {
    struct stat as {};
    if (stat(file.c_str(), &as) == 0)
      out[file] = std::to_string(as.st_mode) + " " + std::to_string(as.st_uid);
  }
  return out;
}

// Runs the script in a guest and returns its console output.
std::string console_of(HostWorld& w, const std::string& script) {
  const auto id = w.launch(script);
  EXPECT_TRUE(w.wait("guest.exit"));
  return w.console(id.value);
}

std::string setting(HostWorld& w, const std::string& path, const std::string& value) {
  for (const auto& event : w.events)
    if (event.kind == "guest.setting" && event.fields["path"] == path &&
        event.fields["value"] == value)
      return "logged";
  return path + " = " + value + " is not in the log:\n" + w.lines;
}

void expect_tuning_to_work_on_a_copy(Level level) {
  HostWorld w(level);
  const auto before = host_state();
  EXPECT_EQ(console_of(w, kTuning), "done\n");
  EXPECT_EQ(setting(w, "/proc/sys/vm/swappiness", "7"), "logged");
  EXPECT_EQ(setting(w, "/proc/sys/vm/drop_caches", "3"), "logged");
  EXPECT_EQ(setting(w, "/proc/sys/fs/file-max", "2097152"), "logged");
  EXPECT_EQ(host_state(), before);
}

// Expects that every line of the console begins with "in: ", and checks their number.
void expect_all_in(const std::string& console, std::ptrdiff_t lines) {
  EXPECT_EQ(std::ranges::count(console, '\n'), lines) << console;
  std::istringstream in(console);
  for (std::string line; std::getline(in, line);) EXPECT_TRUE(line.starts_with("in: ")) << line;
}

void expect_no_way_out(Level level) {
  HostWorld w(level);
  const auto before = host_state();
  expect_all_in(console_of(w, kShellChecklist), 42);
  EXPECT_EQ(host_state(), before);
}

void expect_calls_refused(Level level) {
  HostWorld w(level);
  expect_all_in(console_of(w, kCallChecklist), 24);
  EXPECT_EQ(w.count("guest.refused"), 21U) << w.lines;
}

// Only the environment of this process has the secret.
void expect_init_closed(Level level) {
  std::array<char, 32> secret{};
  std::snprintf(secret.data(), secret.size(), "secret-%d", 1'000'000 + getpid());
  setenv("SPOTSIM_TEST_SECRET", secret.data(), 1);
  explicit_bzero(secret.data(), secret.size());
  HostWorld w(level);
  expect_all_in(console_of(w, kInitChecklist), 15);
  char* const kept = getenv("SPOTSIM_TEST_SECRET");  // unsetenv(3) leaves it in memory
  explicit_bzero(kept, strlen(kept));
  unsetenv("SPOTSIM_TEST_SECRET");
}

class RootEscape : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = obstacle(Level::kRoot); !why.empty())
      GTEST_SKIP() << "no root sandbox here: " << why;
  }
};

TEST_F(RootEscape, TuningWorksOnACopyOfTheSettings) {
  expect_tuning_to_work_on_a_copy(Level::kRoot);
}
TEST_F(RootEscape, ItsOwnFileSystemsMayBeRemounted) {
  HostWorld w(Level::kRoot);
  EXPECT_EQ(console_of(w, "mount -o remount,size=1G /dev/shm && echo done\n"), "done\n");
}
TEST_F(RootEscape, LimitsMayBeRaised) {
  if (prctl(PR_CAPBSET_READ, CAP_SYS_RESOURCE) != 1) GTEST_SKIP() << "no CAP_SYS_RESOURCE here";
  HostWorld w(Level::kRoot);
  EXPECT_EQ(console_of(w, kLimits), "done\n");
}
TEST_F(RootEscape, NoEntryOfTheChecklistReachesTheHost) { expect_no_way_out(Level::kRoot); }
TEST_F(RootEscape, CallsThatConcernTheMachineAreRefusedAndLogged) {
  expect_calls_refused(Level::kRoot);
}

// Runs in a child whose /opt and /srv have programs and data.
void expect_programs_without_data() {
  ASSERT_EQ(unshare(CLONE_NEWNS), 0);
  ASSERT_EQ(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
  for (const char* folder : {"/opt", "/srv"})
    ASSERT_EQ(mount("tmpfs", folder, "tmpfs", 0, nullptr), 0);
  const auto write = [](const fs::path& file, const char* text, mode_t mode) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
  };
  write("/opt/tool/run", "#!/bin/sh\necho tool\n", 0755);
  write("/opt/tool/secret", "secret", 0600);
  write("/opt/private/key", "key", 0644);
  ASSERT_EQ(chmod("/opt/private", 0700), 0);
  write("/srv/data", "data", 0644);
  HostWorld w(Level::kRoot);
  EXPECT_EQ(console_of(w,
                       "/opt/tool/run; ls /opt /opt/tool; ls -A /opt/private /srv\n"
                       "stat -c %a /opt/private; echo new > /opt/tool/secret\n"
                       "cat /opt/tool/secret; ls /etc/sudoers 2>/dev/null\n"
                       "find /var/log -type f -name '*.log' ! -name 'cloud-init*'\n"),
            "tool\n/opt:\nprivate\ntool\n\n/opt/tool:\nrun\n/opt/private:\n\n/srv:\n700\nnew\n" +
                std::string(fs::exists("/etc/sudoers") ? "/etc/sudoers\n" : ""));
}

TEST_F(RootEscape, TheHostsProgramsAreThereAndItsDataIsNot) {
  EXPECT_TRUE(test::passes_in_child(expect_programs_without_data));
}

TEST_F(RootEscape, TheInitIsClosed) { expect_init_closed(Level::kRoot); }

// The console of a guest that has a volume.
std::string console_with_volume(HostWorld& w, const std::string& script) {
  const auto volume = w.new_volume();
  const auto id = w.launch(script);
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  EXPECT_TRUE(w.wait(volume, cloud::VolumeState::kAvailable));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  EXPECT_TRUE(w.wait("guest.exit"));
  return w.console(id.value);
}

TEST_F(RootEscape, RootDoesToItsOwnDiskWhatItMay) {
  HostWorld w(Level::kRoot);
  EXPECT_EQ(console_with_volume(w, kDiskScript), "done\n");
}
TEST_F(RootEscape, DeviceNodesOfAVolumeOpenNothing) {
  HostWorld w(Level::kRoot);
  expect_all_in(console_with_volume(w, kVolumeChecklist), 8);
  EXPECT_EQ(setting(w, "/sys/block/xvdf/queue/scheduler", "none"), "logged");
}

// Runs in a child that may make user namespaces. Skips if no process may make them.
class UserNamespaceEscape : public testing::Test {
 protected:
  static void expect(void (*test)(Level)) {
    const std::string why = obstacle(Level::kUserNamespaces);
    if (geteuid() != 0 && !why.empty()) GTEST_SKIP() << why;
    EXPECT_TRUE(test::passes_as_user([test] {
      if (obstacle(Level::kUserNamespaces).empty()) test(Level::kUserNamespaces);
    }));
  }
};

TEST_F(UserNamespaceEscape, TuningWorksOnACopyOfTheSettings) {
  expect(expect_tuning_to_work_on_a_copy);
}
TEST_F(UserNamespaceEscape, NoEntryOfTheChecklistReachesTheHost) { expect(expect_no_way_out); }
TEST_F(UserNamespaceEscape, CallsThatConcernTheMachineAreRefusedAndLogged) {
  expect(expect_calls_refused);
}
TEST_F(UserNamespaceEscape, TheInitIsClosed) { expect(expect_init_closed); }

}  // namespace
}  // namespace sim::guest
