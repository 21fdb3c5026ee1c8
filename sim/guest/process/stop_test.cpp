// Stopped instances that start again: the files that remain, and the programs that run.
#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/levels_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using namespace std::chrono_literals;
using cloud::InstanceState;
using cloud::VolumeState;
using test::HostWorld;

class StoppedGuest : public testing::TestWithParam<Level> {
 protected:
  static void in_world(const std::function<void(HostWorld&)>& body) {
    const bool lockstep = GetParam() == Level::kRoot && lockstep_permitted();
    test::in_world_at(
        GetParam(), [&] { return HostWorld(GetParam(), lockstep); }, body);
  }
  // An instance on demand. It stops when it powers off.
  static cloud::InstanceId launch(HostWorld& w, const std::string& script) {
    return w.cloud.run_instances({.image_id = "ami-1",
                                  .instance_type = "p3.2xlarge",
                                  .availability_zone = "us-west-2a",
                                  .user_data = "#!/bin/bash\n" + script,
                                  .stops_itself = true},
                                 1, 1)[0];
  }
  static bool says(HostWorld& w, const cloud::InstanceId& id, const std::string& text) {
    return w.host.run([&] { return w.console(id.value).find(text) != std::string::npos; });
  }
};

TEST_P(StoppedGuest, RunsOfChangedUserDataWhatRunsAtEachBoot) {
  in_world([](HostWorld& w) {
    const auto id = launch(w, "echo first\n");
    ASSERT_TRUE(says(w, id, "first\n")) << w.whole_console(id.value);
    w.cloud.stop_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    w.cloud.set_user_data(id, "#cloud-config\nbootcmd: [echo each]\nruncmd: [echo once]\n");
    w.cloud.start_instances({id});
    ASSERT_TRUE(says(w, id, "each\n")) << w.whole_console(id.value);
    w.cloud.stop_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    EXPECT_EQ(w.console(id.value), "first\neach\n");
  });
}

TEST_P(StoppedGuest, HasItsDisksAndRunsNoUserDataWhenItStartsAgain) {
  in_world([](HostWorld& w) {
    const auto volume = w.new_volume();
    const auto id = launch(
        w,
        "trap '' TERM\n"
        "while [ ! -b /dev/xvdf ] && [ ! -f /dev/xvdf ]; do sleep 1; done\n"
        "mkfs.ext4 -q /dev/xvdf; mkdir /data; echo '/dev/xvdf /data ext4 defaults 0 0' "
        ">>/etc/fstab\nmount -a; echo volume >/data/file; echo root >/root/file; echo t "
        ">/tmp/file\n"
        "printf '#!/bin/sh\\necho again $(cat /data/file /root/file /tmp/file 2>/dev/null)\\n' "
        ">/var/lib/cloud/scripts/per-boot/look\nchmod +x /var/lib/cloud/scripts/per-boot/look\n"
        "echo ready\nsleep 9999; sleep 9999; echo never\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
    w.cloud.stop_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    w.simulation.after(2h, [&w, id] { w.cloud.start_instances({id}); });
    ASSERT_TRUE(says(w, id, "again")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "ready\nagain volume root\n");
    w.cloud.stop_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    w.cloud.terminate_instances({id});
    EXPECT_TRUE(w.host.run([&] { return !w.cloud.volume(volume).attachment; }));
    EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kTerminated);
  });
}

TEST_P(StoppedGuest, IsStoppedByItsOwnPoweroffIfItWasLaunchedSo) {
  in_world([](HostWorld& w) {
    const auto id =
        launch(w,
               "printf '#!/bin/sh\\necho again\\n' >/var/lib/cloud/scripts/per-boot/look\n"
               "chmod +x /var/lib/cloud/scripts/per-boot/look\necho once; poweroff\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped)) << w.whole_console(id.value);
    w.cloud.start_instances({id});
    ASSERT_TRUE(says(w, id, "again\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "once\nagain\n");
  });
}

// An instance on demand that can hibernate.
cloud::InstanceId launch_hibernating(HostWorld& w, const std::string& script) {
  cloud::LaunchSpec spec{.image_id = "ami-1",
                         .instance_type = "m4.large",
                         .availability_zone = "us-west-2a",
                         .user_data = "#!/bin/bash\n" + script};
  spec.block_devices = {{.device = "/dev/xvda", .volume = {.size_gib = 20, .encrypted = true}}};
  spec.hibernation = true;
  return w.cloud.run_instances(spec, 1, 1)[0];
}

TEST_P(StoppedGuest, KeepsItsMemoryAndMountsIfItHibernates) {
  in_world([](HostWorld& w) {
    const auto volume = w.new_volume();
    const auto id = launch_hibernating(
        w,
        "while [ ! -b /dev/xvdf ] && [ ! -f /dev/xvdf ]; do sleep 1; done\n"
        "mkfs.ext4 -q /dev/xvdf; mkdir /data; mount /dev/xvdf /data\n"
        "printf '#!/bin/sh\\necho booted again\\n' >/var/lib/cloud/scripts/per-boot/look\n"
        "chmod +x /var/lib/cloud/scripts/per-boot/look\n"
        "exec 3>/data/file\n"
        "for n in 1 2 3 4; do echo step $n; echo $n >&3; sleep 600; done\n"
        "echo read $(cat /data/file)\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(says(w, id, "step 2\n")) << w.whole_console(id.value);
    w.cloud.hibernate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    bool over = false;
    w.simulation.after(2h, [&] { over = true; });
    ASSERT_TRUE(w.host.run([&] { return over; }));
    EXPECT_EQ(w.console(id.value), "step 1\nstep 2\n") << "nothing runs in between";
    w.cloud.start_instances({id});
    ASSERT_TRUE(says(w, id, "read")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "step 1\nstep 2\nstep 3\nstep 4\nread 1 2 3 4\n");
    w.cloud.hibernate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    w.cloud.terminate_instances({id});
    EXPECT_TRUE(w.host.run([&] { return !w.cloud.volume(volume).attachment; }));
  });
}

// Prints the monotonic seconds of a sleep of ten minutes, whether real time and boot time passed
// alike, and the monotonic seconds until a timer of eleven minutes.
constexpr const char* kClocksOverASleep = R"(python3 - <<'END'
import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
def now(): return [time.clock_gettime(c) for c in (time.CLOCK_REALTIME, time.CLOCK_BOOTTIME)]
begin, start = now(), time.monotonic()
signal.setitimer(signal.ITIMER_REAL, 660); print('ready', flush=True); time.sleep(600)
real, boot = (b - a for a, b in zip(begin, now()))
print(round(time.monotonic() - start), real > 36000, abs(real - boot) < 1, flush=True)
signal.sigwait([signal.SIGALRM]); print(round(time.monotonic() - start), flush=True)
END
)";

// clock_gettime(2): CLOCK_MONOTONIC does not count time that the system is suspended.
TEST_P(StoppedGuest, CountsNoMonotonicTimeWhileItHibernates) {
  in_world([](HostWorld& w) {
    const auto id = launch_hibernating(w, kClocksOverASleep);
    ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
    w.cloud.hibernate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    bool over = false;
    w.simulation.after(10h, [&] { over = true; });
    ASSERT_TRUE(w.host.run([&] { return over; }));
    w.cloud.start_instances({id});
    ASSERT_TRUE(says(w, id, "660\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "ready\n600 True True\n660\n");
  });
}

// Prints the monotonic seconds of a sleep by nanosleep(2) and of a select(2), of ten minutes each.
constexpr const char* kWaits = R"sh(now() { python3 -c 'import time; print(time.monotonic())'; }
show() { python3 -c "import time; print('$1', round((time.monotonic() - $2) / 10))"; }
begin=$(now); echo ready; sleep 600; show sleep $begin
begin=$(now); echo set; python3 -c 'import select; select.select([], [], [], 600)'
show select $begin
begin=$(now); sleep 600; show whole $begin
)sh";

// On EC2 the kernel freezes tasks in their calls, so a wait takes its rest after the resume.
TEST_P(StoppedGuest, WaitsOnlyTheRestAfterItResumes) {
  in_world([](HostWorld& w) {
    const auto id = launch_hibernating(w, kWaits);
    for (const char* waits : {"ready\n", "set\n"}) {
      ASSERT_TRUE(says(w, id, waits)) << w.whole_console(id.value);
      bool over = false;
      w.simulation.after(5min, [&] { over = true; });
      ASSERT_TRUE(w.host.run([&] { return over; }));
      w.cloud.hibernate_instances({id});
      ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
      over = false;
      w.simulation.after(2h, [&] { over = true; });
      ASSERT_TRUE(w.host.run([&] { return over; }));
      w.cloud.start_instances({id});
      ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    }
    ASSERT_TRUE(says(w, id, "whole")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "ready\nsleep 60\nset\nselect 60\nwhole 60\n");
  });
}

TEST_P(StoppedGuest, LeavesProgramsStoppedThatASignalHadStopped) {
  in_world([](HostWorld& w) {
    const auto id = launch_hibernating(w,
                                       "(trap 'echo woken' USR1; while :; do sleep 1; echo "
                                       "child; done) & kill -STOP $!\n"
                                       "echo ready; sleep 600; echo over\n");
    ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
    w.cloud.hibernate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    w.cloud.start_instances({id});
    ASSERT_TRUE(says(w, id, "over\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "ready\nover\n");
  });
}

// Prints "again" at each boot but the first.
constexpr const char* kPrintAgain =
    "printf '#!/bin/sh\\necho again $(cat /data/file 2>/dev/null)\\n' "
    ">/var/lib/cloud/scripts/per-boot/look\n"
    "chmod +x /var/lib/cloud/scripts/per-boot/look\n";

TEST_P(StoppedGuest, BootsIfItWasStoppedWhileItResumed) {
  in_world([](HostWorld& w) {
    const auto id =
        launch_hibernating(w, kPrintAgain + std::string("trap 'echo asked; exit' TERM\necho ready\n"
                                                        "while :; do sleep 1; done\n"));
    ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
    w.cloud.hibernate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    w.cloud.start_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    w.cloud.stop_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    EXPECT_NE(w.console(id.value).find("asked\n"), std::string::npos) << w.console(id.value);
    w.cloud.start_instances({id});
    ASSERT_TRUE(says(w, id, "again\n")) << w.whole_console(id.value);
  });
}

TEST_P(StoppedGuest, ContinuesIfItHibernatedWhileItResumed) {
  in_world([](HostWorld& w) {
    const auto id = launch_hibernating(w, "echo ready; sleep 600; echo over\n");
    ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
    for (int times = 0; times < 2; ++times) {
      w.cloud.hibernate_instances({id});
      ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
      w.cloud.start_instances({id});
      ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    }
    ASSERT_TRUE(says(w, id, "over\n")) << w.whole_console(id.value);
  });
}

// "If the instance cannot hibernate successfully, a normal shutdown occurs" (EC2 API reference,
// StopInstances).
TEST_P(StoppedGuest, StopsIfItIsToHibernateDuringItsReboot) {
  for (const char* shutdown : {"sleep 9999\n", "trap '' TERM; sleep 9999; sleep 9999\n"})
    in_world([shutdown](HostWorld& w) {
      const auto id = launch_hibernating(w, kPrintAgain + std::string("echo ready\n") + shutdown);
      ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
      w.cloud.reboot_instances({id});
      w.simulation.after(1s, [&w, id] { w.cloud.hibernate_instances({id}); });
      ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
      bool over = false;
      w.simulation.after(2h, [&] { over = true; });
      ASSERT_TRUE(w.host.run([&] { return over; }));
      EXPECT_EQ(w.console(id.value), "ready\n") << "it does not boot while it is stopped";
      w.cloud.start_instances({id});
      ASSERT_TRUE(says(w, id, "again\n")) << w.whole_console(id.value);
    });
}

TEST_P(StoppedGuest, LosesItsPowerAtAnInterruptionWithoutNotice) {
  in_world([](HostWorld& w) {
    const auto request = w.cloud.request_spot_instances(
        {.image_id = "ami-1",
         .instance_type = "p3.2xlarge",
         .availability_zone = "us-west-2a",
         .user_data =
             "#!/bin/bash\n" + std::string(kPrintAgain) +
             "while [ ! -b /dev/xvdf ] && [ ! -f /dev/xvdf ]; do sleep 1; done\n"
             "mkfs.ext4 -q /dev/xvdf; mkdir /data; echo '/dev/xvdf /data ext4 defaults 0 0' "
             ">>/etc/fstab\nmount -a; echo written >/data/file; sync /data/file\n"
             "echo late >>/data/file; grep -o eth0 /proc/net/dev\n"
             "echo 'grep -o eth0 /proc/net/dev; echo end' >>/var/lib/cloud/scripts/per-boot/look\n"
             "trap 'echo asked; exit' TERM; echo ready\nwhile :; do sleep 1; done\n",
         .stops_when_interrupted = true},
        1, "persistent")[0];
    const auto& id = w.cloud.spot_requests().at(request).instance;
    ASSERT_TRUE(w.host.run([&] { return !id.empty(); }));
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    const auto volume = w.new_volume();
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(says(w, id, "ready\n")) << w.whole_console(id.value);
    const std::string before = w.console(id.value);
    w.cloud.interrupt(id, cloud::Cloud::Notice::kNone, "no-capacity");
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    EXPECT_EQ(w.console(id.value), before) << "no program is asked to end";
    ASSERT_TRUE(says(w, id, "end\n")) << w.whole_console(id.value);
    const std::string network = before.substr(0, before.find("ready"));
    EXPECT_EQ(w.console(id.value),
              before + (GetParam() == Level::kRoot ? "again written\n" : "again written late\n") +
                  network + "end\n");
  });
}

// Each process of the chain starts the next one and ends.
TEST_P(StoppedGuest, StopsAlsoProgramsThatForkAllTheTime) {
  in_world([](HostWorld& w) {
    const auto id = launch_hibernating(w,
                                       "printf '#!/bin/sh\\necho link\\n\"$0\" &\\n' >/root/chain\n"
                                       "chmod +x /root/chain; /root/chain; sleep 9999\n");
    ASSERT_TRUE(says(w, id, "link\n")) << w.whole_console(id.value);
    w.cloud.hibernate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kStopped));
    const std::string asleep = w.console(id.value);
    usleep(100'000);
    bool over = false;
    w.simulation.after(1s, [&] { over = true; });
    ASSERT_TRUE(w.host.run([&] { return over; }));
    EXPECT_EQ(w.console(id.value), asleep);
    w.cloud.terminate_instances({id});
    EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, StoppedGuest,
                         testing::Values(Level::kRoot, Level::kUserNamespaces), [](const auto& of) {
                           return of.param == Level::kRoot ? "Root" : "UserNamespaces";
                         });

}  // namespace
}  // namespace sim::guest
