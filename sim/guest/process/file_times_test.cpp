// The times of files, as a guest's programs see them.
#include <gtest/gtest.h>

#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using cloud::VolumeState;
using test::HostWorld;

// Lets real time pass, but no virtual time: at least a second between the commands before and
// after.
constexpr const char* kASecond =
    "python3 -c 'import time\nwhile time.process_time() < 1.1: pass'\n";

class FileTimes : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string why = obstacle(Level::kRoot);
    if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
    if (!lockstep_permitted()) GTEST_SKIP() << "no SCHED_FIFO here";
  }
  // The script's output in a folder on the file system.
  std::string console_of(const std::string& script) {
    HostWorld w(Level::kRoot, true);
    const bool on_volume = GetParam() == "ext4" || GetParam() == "xfs";
    const auto volume = w.cloud.create_volume({"us-west-2a", 4, "gp2", {}, {}});
    const auto id = w.launch(
        on_volume ? "while [ ! -b /dev/xvdf ]; do sleep 1; done; mkdir /data; mkfs." + GetParam() +
                        " -q /dev/xvdf\nmount /dev/xvdf /data; cd /data\n" + script
                  : "mkdir -p " + GetParam() + "; cd " + GetParam() + "\n" + script);
    EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
    EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    said = w.said;
    return w.console(id.value);
  }
  std::string said;
};

TEST_P(FileTimes, AreVirtual) {
  EXPECT_EQ(console_of("now=$(date +%s)\n"
                       "echo a >a; mkdir b; ln -s a c; mkdir d; : >e\n" +
                       std::string(kASecond) +
                       "echo f >f\n"
                       "for i in a b c d e f .; do echo $i $(($(stat -c %Y $i) - now)); done\n"
                       "sleep 100; echo g >>a; touch e; rm f; sleep 100\n"
                       "for i in a b c e .; do echo $i $(($(stat -c %Y $i) - now)); done\n"
                       "find . -mmin -2 | sort; [ a -nt b ] && echo newer\n"),
            "a 0\nb 0\nc 0\nd 0\ne 0\nf 0\n. 0\na 100\nb 0\nc 0\ne 100\n. 100\n"
            ".\n./a\n./e\nnewer\n");
}

TEST_P(FileTimes, StayAsAProgramSetsThem) {
  EXPECT_EQ(console_of("echo a >a; touch -d '2001-02-03 04:05:06 UTC' a; chmod 600 a\n"
                       "sleep 100; cp -p a b; echo c >c; touch -d '2101-01-01 UTC' c\n"
                       "stat -c '%n %Y' a b c; echo d >>a; [ a -nt b ] && echo newer\n"),
            "a 981173106\nb 981173106\nc 4133980800\nnewer\n");
}

// dash has a handler for the end of a child, without SA_RESTART.
TEST_P(FileTimes, CanBeAskedForWhileSignalsCome) {
  EXPECT_EQ(console_of("cat >look <<'END'\n"
                       "i=0; bad=0\n"
                       "while [ $i -lt 100 ]; do\n"
                       "  echo $i >a; (exit 0) & [ -s a ] || bad=$((bad+1)); wait; i=$((i+1))\n"
                       "done\n"
                       "echo $bad\n"
                       "END\n"
                       "dash look\n"),
            "0\n");
}

// If the host opened the FIFO, a writer that waits for a reader would continue.
TEST_P(FileTimes, LeaveFifosAlone) {
  EXPECT_EQ(console_of("mkfifo p\necho 1 >p & read -r x <p; wait; echo $x\n"
                       "(echo 2 >p; echo written) & sleep 5; echo read\n"
                       "read -r x <p; wait; echo $x\n"),
            "1\nread\nwritten\n2\n");
  const bool on_overlay = GetParam() == "/var/a";
  EXPECT_EQ(said.find("made the FIFO /var/a/p on its root disk") != said.npos, on_overlay) << said;
}

// In user namespaces the boot's own writes have real times, so the test omits what they change.
TEST(FirstFileTimes, AreOfTheBoot) {
  test::at_both_levels([](Level level) {
    HostWorld w(level, level == Level::kRoot && lockstep_permitted());
    const std::string written = level == Level::kRoot ? "/run /dev /dev/xvda" : "";
    const auto id = w.launch(
        "for i in / /tmp /root /dev/shm /dev/fd /dev/console /etc /etc/hosts /etc/hostname \\\n"
        "  /etc/resolv.conf /etc/passwd /etc/machine-id /usr/local/bin /bin /var/lib/spotsim \\\n"
        "  /var/lib/spotsim/commands /var/lib/spotsim/commands/reboot " +
        written +
        "; do\n"
        "  age=$(($(date +%s) - $(stat -c %Y $i)))\n"
        "  [ ${age#-} -lt 100 ] || echo $i $age\n"
        "done\n"
        "echo looked\n");
    EXPECT_TRUE(w.wait("guest.exit")) << w.lines;
    EXPECT_EQ(w.console(id.value), "looked\n");
  });
}

INSTANTIATE_TEST_SUITE_P(FileSystems, FileTimes,
                         testing::Values("ext4", "xfs", "/tmp/a", "/root/a", "/var/a"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::erase(name, '/');
                           return name;
                         });

}  // namespace
}  // namespace sim::guest
