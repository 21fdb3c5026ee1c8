// What remains of an instance after a reboot, and what runs again.
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

class RebootedGuest : public testing::TestWithParam<Level> {
 protected:
  static void in_world(const std::function<void(HostWorld&)>& body) {
    const bool lockstep = GetParam() == Level::kRoot && lockstep_permitted();
    test::in_world_at(
        GetParam(), [&] { return HostWorld(GetParam(), lockstep); }, body);
  }
  // Runs until the console has the text.
  static bool says(HostWorld& w, const cloud::InstanceId& id, const std::string& text) {
    return w.host.run([&] { return w.console(id.value).find(text) != std::string::npos; });
  }
};

constexpr const char* kParts =
    "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    "--b\nContent-Type: text/cloud-boothook\n\n#!/bin/sh\necho hook\n"
    "--b\nContent-Type: text/cloud-config\n\nbootcmd: [echo bootcmd]\n"
    "write_files: [{path: /root/file, content: written}]\n"
    "--b\nContent-Type: text/x-shellscript-per-boot\n\n#!/bin/sh\necho per boot\n"
    "echo $(cat /root/file /tmp/file /run/file 2>/dev/null)\n"
    "[ ! -e /root/boot ] || { cat '/root/a keep/file'; ls -A /tmp; echo end; }\n"
    "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\necho user\n"
    "echo changed >/root/file; touch /root/boot; echo t >/tmp/file; echo r >/run/file\n"
    "mkdir '/root/a keep' '/tmp/a keep'; mount --bind '/root/a keep' '/tmp/a keep'\n"
    "echo kept >'/tmp/a keep/file'\nreboot\nsleep 600; echo never\n--b--\n";

TEST_P(RebootedGuest, KeepsItsRootDiskAndRunsWhatIsOfEachBoot) {
  in_world([](HostWorld& w) {
    const auto id = w.launch_with(kParts);
    ASSERT_TRUE(says(w, id, "end\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value),
              "bootcmd\nper boot\nwritten\nuser\n"
              "bootcmd\nper boot\nchanged\nkept\nend\n");
    EXPECT_EQ(w.count("guest.reboot"), 1U);
    EXPECT_EQ(w.cloud.instance(id).state, InstanceState::kRunning);
    EXPECT_GE(w.simulation.now() - w.cloud.instance(id).running_at.value(), 60s) << "two boots";
  });
}

TEST_P(RebootedGuest, RunsItsUserDataAgainWhereThatIsAskedFor) {
  in_world([](HostWorld& w) {
    const auto id = w.launch_with(
        "Content-Type: multipart/mixed; boundary=\"//\"\nMIME-Version: 1.0\n\n--//\n"
        "Content-Type: text/cloud-config; charset=\"us-ascii\"\nMIME-Version: 1.0\n"
        "Content-Transfer-Encoding: 7bit\n"
        "Content-Disposition: attachment; filename=\"cloud-config.txt\"\n\n#cloud-config\n"
        "cloud_final_modules:\n- [scripts-user, always]\n\n--//\n"
        "Content-Type: text/x-shellscript; charset=\"us-ascii\"\nMIME-Version: 1.0\n"
        "Content-Transfer-Encoding: 7bit\n"
        "Content-Disposition: attachment; filename=\"userdata.txt\"\n\n#!/bin/bash\n"
        "echo boot >>/root/boots; echo \"boots: $(wc -l </root/boots)\"\n"
        "[ $(wc -l </root/boots) = 3 ] || sudo reboot\n--//--\n");
    ASSERT_TRUE(says(w, id, "boots: 3\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.count("guest.reboot"), 2U);
  });
}

TEST_P(RebootedGuest, StartsItsServicesAndCronsJobsAgain) {
  if (access("/usr/sbin/cron", X_OK) != 0) GTEST_SKIP() << "cron is not installed";
  in_world([](HostWorld& w) {
    const auto id = w.launch(
        "printf '[Service]\\nExecStart=/bin/sh -c \"echo service >/dev/console\"\\n"
        "[Install]\\nWantedBy=multi-user.target\\n' >/etc/systemd/system/a.service\n"
        "systemctl enable a 2>/dev/null\n"
        "printf '@reboot root echo at reboot >/dev/console\\n"
        "* * * * * root [ -e /root/again ] && echo minute >/dev/console\\n' >/etc/cron.d/b\n"
        "sleep 90; touch /root/again; shutdown -r +1 2>/dev/null\n");
    ASSERT_TRUE(says(w, id, "at reboot\n")) << w.whole_console(id.value);
    ASSERT_TRUE(says(w, id, "service\n")) << w.whole_console(id.value);
    const auto later = w.simulation.now() + 70s;
    ASSERT_TRUE(w.host.run([&] { return w.simulation.now() >= later; }));
    const std::string text = w.console(id.value);
    EXPECT_NE(text.find("minute\n", text.find("service\n")), std::string::npos) << text;
  });
}

TEST_P(RebootedGuest, HasItsVolumesAsTheyWereWithFstabsMounted) {
  in_world([](HostWorld& w) {
    const auto volume = w.new_volume();
    const auto id = w.launch(
        "while [ ! -b /dev/xvdf ] && [ ! -f /dev/xvdf ]; do sleep 1; done\n"
        "mkfs.ext4 -q /dev/xvdf; mkdir /data; echo '/dev/xvdf /data ext4 defaults 0 0' "
        ">>/etc/fstab\nmount -a; echo text >/data/file\n"
        "printf '#!/bin/sh\\nmountpoint /data\\necho \"found $(cat /data/file)\"\\n' "
        ">/var/lib/cloud/scripts/per-boot/look\nchmod +x /var/lib/cloud/scripts/per-boot/look\n"
        "reboot\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(says(w, id, "/data is a mountpoint\nfound text\n")) << w.whole_console(id.value);
    w.cloud.terminate_instances({id});
    EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
  });
}

TEST_P(RebootedGuest, LosesWhatItMountedAndCountsItsUptimeFromTheNewBoot) {
  in_world([](HostWorld& w) {
    const auto id = w.launch_with(
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/x-shellscript-per-boot\n\n#!/bin/sh\n"
        "echo $(grep -c -e ' /srv/' -e ' /mnt/' /proc/mounts) mounts,"
        " up $(cut -d. -f1 /proc/uptime)\n[ ! -e /root/boot ] || echo end\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n"
        "mkdir /srv/shown /mnt/disk; touch /root/boot; mount --bind /root /srv/shown\n"
        "mount -t tmpfs tmpfs /mnt/disk; mkdir /mnt/disk/below\n"
        "mount --bind /root /mnt/disk/below\nsleep 100\n"
        "echo $(grep -c -e ' /srv/' -e ' /mnt/' /proc/mounts) mounts,"
        " up $(cut -d. -f1 /proc/uptime)\nreboot\nsleep 600\n--b--\n");
    ASSERT_TRUE(says(w, id, "end\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "0 mounts, up 10\n3 mounts, up 110\n0 mounts, up 10\nend\n");
  });
}

TEST_P(RebootedGuest, ForgetsTheKernelsSettingsAndAHostNameThatNoFileHas) {
  in_world([](HostWorld& w) {
    const auto id = w.launch_with(
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/x-shellscript-per-boot\n\n#!/bin/sh\n"
        "[ -e /root/boot ] || cat /proc/sys/vm/swappiness >/root/boot\n"
        "cmp /root/boot /proc/sys/vm/swappiness && [ $(hostname) = $(cat /etc/hostname) ] &&\n"
        "echo as before\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n"
        "echo 7 >/proc/sys/vm/swappiness; cat /proc/sys/vm/swappiness; hostname other; reboot\n"
        "sleep 600\n--b--\n");
    ASSERT_TRUE(says(w, id, "7\nas before\n")) << w.whole_console(id.value);
    EXPECT_EQ(w.count("guest.setting"), 1U);
  });
}

TEST_P(RebootedGuest, ForgetsTheNetworksSettings) {
  in_world([](HostWorld& w) {
    const auto id = w.launch_with(
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/x-shellscript-per-boot\n\n#!/bin/sh\n"
        "cd /proc/sys/net/ipv4\n"
        "grep . tcp_rmem tcp_fin_timeout ip_local_port_range ip_forward conf/lo/forwarding"
        " conf/lo/accept_redirects >/tmp/now\n"
        "[ -e /root/boot ] || cp /tmp/now /root/boot\ncmp /root/boot /tmp/now && echo as before\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n"
        "sysctl -q -w 'net.ipv4.tcp_rmem=4096 87380 9999999' net.ipv4.tcp_fin_timeout=15"
        " 'net.ipv4.ip_local_port_range=15000 64000' net.ipv4.ip_forward=1"
        " net.ipv4.conf.lo.accept_redirects=1\n"
        "sysctl -n net.ipv4.tcp_fin_timeout net.ipv4.conf.lo.forwarding; reboot\nsleep "
        "600\n--b--\n");
    ASSERT_TRUE(says(w, id, "as before\n15\n1\nas before\n")) << w.whole_console(id.value);
  });
}

TEST_P(RebootedGuest, RestartsByTheApiAlsoWithProgramsThatIgnoreSigterm) {
  in_world([](HostWorld& w) {
    const auto id = w.launch("trap '' TERM; echo up; sleep 9999; sleep 9999\n");
    ASSERT_TRUE(says(w, id, "up\n"));
    w.cloud.reboot_instances({id});
    ASSERT_TRUE(w.host.run([&] {
      const std::string all = w.whole_console(id.value);
      return all.find(" finished at ") != std::string::npos;
    })) << w.whole_console(id.value);
    EXPECT_EQ(w.console(id.value), "up\n");
    w.cloud.interrupt(id, cloud::Cloud::Notice::kNone, "no-capacity");
    EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, RebootedGuest,
                         testing::Values(Level::kRoot, Level::kUserNamespaces), [](const auto& of) {
                           return of.param == Level::kRoot ? "Root" : "UserNamespaces";
                         });

}  // namespace
}  // namespace sim::guest
