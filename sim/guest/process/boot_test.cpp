// How an instance's boot performs user data, and the files that it leaves.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "base/files/folder_for_test.h"
#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/levels_for_test.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using cloud::InstanceState;
using test::HostWorld;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class BootedGuest : public testing::TestWithParam<Level> {
 protected:
  // Runs the test at the level. If the level needs no root rights, it runs as a user without them.
  static void in_world(const std::function<void(HostWorld&)>& body) { in_world({}, body); }
  static void in_world(const cloud::Durations& durations,
                       const std::function<void(HostWorld&)>& body) {
    test::in_world_at(
        GetParam(), [&] { return HostWorld(GetParam(), false, {}, {}, {}, {}, durations); }, body);
  }
  // The console of an instance after cloud-init has reported the end of its user data.
  static std::string console_of(HostWorld& w, const std::string& user_data) {
    const auto id = w.launch_with(user_data);
    EXPECT_TRUE(w.host.run([&] { return contains(w.whole_console(id.value), " finished at "); }));
    return w.console(id.value);
  }
};

TEST_P(BootedGuest, RunsItsScriptAsCloudInitDoes) {
  in_world([](HostWorld& w) {
    const auto id = w.launch(
        "echo \"$0 $PWD $(id -un) home=${HOME-unset}\"; cd /var/lib/cloud\n"
        "cat data/instance-id; readlink instance; tail -n 1 instance/user-data.txt\n"
        "(cloud-init status --wait; ls instance/boot-finished; cat data/result.json) &\n"
        "cloud-init status\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    const std::string name = id.value;
    ASSERT_TRUE(w.host.run([&] { return contains(w.console(name), "errors"); }));
    EXPECT_TRUE(w.console(name).starts_with(
        "/var/lib/cloud/instance/scripts/part-001 / root home=unset\n" + name +
        "\n/var/lib/cloud/instances/" + name + "\ncloud-init status\n"))
        << w.console(name);
    EXPECT_TRUE(contains(w.console(name), "status: running\n"));
    EXPECT_TRUE(contains(w.console(name), "status: done\ninstance/boot-finished\n"));
    const std::string whole = w.whole_console(name);
    EXPECT_EQ(w.host.console(id, 9), whole.substr(whole.size() - 9));
  });
}

// Runs in a child whose /usr has a program of that name, like a machine with amazon-ec2-utils.
void expect_own_program() {
  const base::FolderForTest folder;
  ASSERT_EQ(unshare(CLONE_NEWNS), 0);
  ASSERT_EQ(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
  ASSERT_EQ(mount("tmpfs", folder.path().c_str(), "tmpfs", 0, nullptr), 0);
  for (const char* place : {"upper/bin", "upper/local/bin"}) {
    fs::create_directories(folder / place);
    const fs::path program = folder.path() / place / "ec2-metadata";
    std::ofstream(program) << "#!/bin/sh\necho this machine\n";
    fs::permissions(program, fs::perms(0755));
  }
  fs::create_directory(folder / "work");
  const std::string options =
      "lowerdir=/usr,upperdir=" + folder.string() + "/upper,workdir=" + folder.string() + "/work";
  ASSERT_EQ(mount("overlay", "/usr", "overlay", 0, options.c_str()), 0);
  HostWorld w(Level::kRoot);
  const auto id = w.launch("ec2-metadata --quiet -i; /usr/bin/ec2-metadata --quiet -i\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.console(id.value), id.value + "\n" + id.value + "\n");
}

TEST(ImagePrograms, HideThoseOfThisMachine) {
  if (const auto why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_in_child(expect_own_program));
}

TEST_P(BootedGuest, HasTheProgramsOfEc2sImages) {
  if (access("/usr/bin/curl", X_OK) != 0) GTEST_SKIP() << "no curl here";
  in_world([](HostWorld& w) {
    const auto id = w.launch(
        "udevadm settle && udevadm trigger && udevadm info /dev/null\n"
        "ec2metadata --availability-zone --kernel-id; ec2metadata | grep -e ^instance-type\n"
        "ec2-metadata -z --kernel-id; ec2-metadata -q -i; ec2-metadata --quiet --nothing\n"
        "[ $(ec2-metadata | wc -l) -gt 18 ] && echo all\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value),
              "udevadm: info is not done on a simulated instance\n"
              "us-west-2a\nunavailable\ninstance-type: p3.2xlarge\nplacement: us-west-2a\n"
              "kernel-id: not available\n" +
                  id.value + "\nec2-metadata: unknown option '--nothing'\nall\n");
  });
}

TEST_P(BootedGuest, LeavesTheFilesThatTheScenarioKeeps) {
  const auto world = [] {
    return HostWorld(GetParam(), false, {}, {}, {}, {}, {},
                     {"/logs/*.log", "/var/log/train.log", "/none/x"});
  };
  test::in_world_at(GetParam(), world, [](HostWorld& w) {
    const auto id = w.launch(
        "mkdir -p /logs; cd /logs; echo one >a.log; echo two >b.log; echo no >c; mkfifo d.log\n"
        "ln -s /etc/hostname e.log; echo more >>/var/log/train.log; poweroff\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kTerminated)) << w.console(id.value);
    const auto kept = [&](const std::string& path) {
      std::ifstream in(w.output / "files" / id.value / path);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_EQ(kept("logs/a.log") + kept("logs/b.log"), "one\ntwo\n");
    EXPECT_EQ(kept("var/log/train.log"), "more\n");
    EXPECT_EQ(kept("logs/c") + kept("logs/d.log"), "");
    EXPECT_EQ(kept("logs/e.log").substr(0, 3), "ip-") << "its own, not this machine's";
  });
}

TEST_P(BootedGuest, ReportsThatItHasNoContainersAndNoDriver) {
  in_world([](HostWorld& w) {
    const auto id = w.launch("docker run --gpus all x || echo $?\nnvidia-smi || echo $?\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    const std::string console = w.console(id.value);
    EXPECT_TRUE(contains(console, "docker: command not available: simulated instances have no"));
    EXPECT_TRUE(contains(console, "\n127\nnvidia-smi: command not available: the machine that"));
    EXPECT_TRUE(console.ends_with("\n127\n")) << console;
  });
}

TEST_P(BootedGuest, EndsAtRunlevel0) {
  in_world([](HostWorld& w) {
    const auto id = w.launch("init 3; init 7; init 0\n");
    EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
    EXPECT_EQ(w.console(id.value), "init: 7 is not done on a simulated instance\n");
  });
}

TEST_P(BootedGuest, EndsWithThePathOfACronJob) {
  for (const std::string command : {"/sbin/shutdown -h now", "systemctl poweroff", "/sbin/init 0"})
    in_world([&](HostWorld& w) {
      const auto id = w.launch("env -i PATH=/usr/bin:/bin " + command + "\n");
      EXPECT_TRUE(w.wait(id, InstanceState::kTerminated)) << w.console(id.value);
    });
}

// `mountpoint -q /mnt || mount …` must mount.
TEST_P(BootedGuest, HasNothingMountedOnTheFoldersThatAreForIt) {
  in_world([](HostWorld& w) {
    EXPECT_EQ(console_of(w, "#!/bin/sh\nfor d in /mnt /media; do mountpoint $d; done\n"),
              "/mnt is not a mountpoint\n/media is not a mountpoint\n");
  });
}

TEST_P(BootedGuest, ShowsItsOutputInTheLogAndOnTheConsole) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w,
        "#!/bin/bash\necho out; echo error >&2; cp /var/log/cloud-init-output.log /root/copy\n"
        "sed -e 's/ v\\..*running/ running/' -e 's/ at .*//' /root/copy | sed 's/^/copy: /'\n"
        "exec > >(tee /var/log/own.log 2>/dev/console) 2>&1; echo more; sleep 1\n"
        "echo straight >/dev/console; sleep 1; grep -c more /var/log/own.log; sleep 1\n");
    EXPECT_EQ(text,
              "out\nerror\ncopy: Cloud-init running 'init'\ncopy: Cloud-init running "
              "'modules:config'\ncopy: Cloud-init running 'modules:final'\ncopy: out\n"
              "copy: error\nmore\nstraight\n1\n");
  });
}

TEST_P(BootedGuest, KeepsItsOutputWhenAScriptOpensItAnew) {
  in_world([](HostWorld& w) {
    EXPECT_EQ(console_of(w,
                         "#!/bin/bash\necho one; echo two >/dev/stderr; echo three >/dev/stdout\n"
                         "echo four | tee /dev/stderr\n"),
              "one\ntwo\nthree\nfour\nfour\n");
  });
}

TEST_P(BootedGuest, WarnsOfAScriptThatFailsAndGoesOn) {
  in_world([](HostWorld& w) {
    const auto id = w.launch("exit 3\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    ASSERT_TRUE(w.host.run([&] { return contains(w.whole_console(id.value), " finished at "); }));
    EXPECT_TRUE(contains(
        w.lines, "\"event\":\"guest.exit\",\"machine\":\"" + id.value + "\",\"status\":3}"));
    const std::string text = w.whole_console(id.value);
    EXPECT_TRUE(contains(text, " - util.py[WARNING]: Running module scripts-user (<module"));
    EXPECT_TRUE(contains(text,
                         " - cc_scripts_user.py[WARNING]: Failed to run module scripts-user "
                         "(scripts in /var/lib/cloud/instance/scripts)\n"));
  });
}

TEST_P(BootedGuest, DistinguishesAnExitStatusFromASignal) {
  in_world([](HostWorld& w) {
    const auto id = w.launch_with(
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\nexit 255\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\nkill -9 $$\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n"
        "(until grep -q finished /var/log/cloud-init.log; do sleep 1; done;"
        " grep code: /var/log/cloud-init.log) &\n"
        "--b\nContent-Type: text/x-shellscript\n\nno program\n--b--\n");
    const auto codes = "Exit code: 255\nExit code: -9\nExit code: -\n";
    EXPECT_TRUE(w.host.run([&] { return contains(w.whole_console(id.value), codes); }))
        << w.whole_console(id.value);
  });
}

TEST_P(BootedGuest, PerformsCloudConfigInItsOrder) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w,
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/x-shellscript\n\n#!/bin/sh\necho part; ls /etc/job.conf\n"
        "--b\nContent-Type: text/cloud-config\n\n"
        "bootcmd: [echo bootcmd; ls /run/hook]\nruncmd: [\"echo runcmd; hostname\", [echo, two  "
        "blanks]]\n"
        "hostname: trainer\nntp: {}\n"
        "write_files: [{path: /etc/job.conf, content: x, permissions: '0600'}]\n"
        "--b\nContent-Type: text/x-shellscript-per-boot\n\n#!/bin/sh\necho per boot\n"
        "--b\nContent-Type: text/cloud-boothook\n\n#!/bin/sh\necho hook; : >/run/hook\n--b--\n");
    EXPECT_TRUE(
        text.ends_with("bootcmd\n/run/hook\nper boot\npart\n/etc/job.conf\nruncmd\ntrainer\n"
                       "two  blanks\n"))
        << text;
    EXPECT_TRUE(contains(text, "ntp: this key of cloud-config does nothing here"));
    EXPECT_EQ(w.count("guest.user-data"), 1U);
  });
}

TEST_P(BootedGuest, MakesUsersAndTheirFiles) {
  in_world([](HostWorld& w) {
    const std::string owner = GetParam() == Level::kRoot ? "ada" : "root";  // the only user there
    const std::string text = console_of(
        w,
        "#cloud-config\nusers: [default, {name: ada, shell: /bin/bash, groups: [adm],\n"
        "  sudo: 'ALL=(ALL) NOPASSWD:ALL', ssh_authorized_keys: [key]}]\n"
        "write_files: [{path: /home/ada/f, content: x, owner: 'ada:ada', defer: true}]\n"
        "timezone: Europe/Berlin\n"
        "runcmd: [id -nG ada, stat -c '%U %a' /home/ada/f /home/ada/.ssh/authorized_keys,\n"
        "  tail -n 1 /etc/sudoers.d/90-cloud-init-users, date +%Z]\n");
    EXPECT_EQ(text,
              "ada adm\n" + owner + " 644\n" + owner + " 600\nada ALL=(ALL) NOPASSWD:ALL\nCET\n");
  });
}

TEST_P(BootedGuest, HasTheCommandsOfAMachineWithSystemd) {
  in_world([](HostWorld& w) {
    EXPECT_EQ(console_of(w,
                         "#!/bin/bash\nexport PATH=/usr/sbin:/usr/bin\n"
                         "for word in start stop status is-active enable; do\n"
                         "  systemctl $word amazon-ssm-agent; echo $?\ndone 2>&1\n"
                         "shutdown -h soon; echo $?\nshutdown +5 2>&1 | cut -d' ' -f1,2\n"
                         "sleep 60; shutdown -c; sleep 600; echo still here\n"),
              "Failed to start amazon-ssm-agent.service: Unit amazon-ssm-agent.service not "
              "found.\n5\nFailed to stop amazon-ssm-agent.service: Unit amazon-ssm-agent.service "
              "not loaded.\n5\nUnit amazon-ssm-agent.service could not be found.\n4\ninactive\n3\n"
              "Failed to enable unit: Unit file amazon-ssm-agent.service does not exist.\n1\n"
              "Failed to parse time specification: soon\n1\nShutdown scheduled\nstill here\n");
  });
}

TEST_P(BootedGuest, EndsWhenAShutdownIsDue) {
  in_world([](HostWorld& w) {
    const auto id = w.launch("shutdown -P +5 2>/dev/null; date +%s >&2; sleep 4000\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kShuttingDown));
    const Time ended = w.simulation.now();
    const Time asked{std::chrono::seconds(std::stoll(w.console(id.value)))};
    EXPECT_GE(ended - asked, 299s);
    EXPECT_LE(ended - asked, 301s);
  });
}

TEST_P(BootedGuest, IsEmptyLongBeforeItsGraceEndsThoughCronIsInstalled) {
  if (access("/usr/sbin/cron", X_OK) != 0) GTEST_SKIP() << "cron is not installed";
  in_world({.os_grace = 3600s}, [](HostWorld& w) {
    const auto id = w.launch("sleep 4000\n");
    const Time later = w.simulation.now() + 500s;
    w.simulation.at(later, [] {});
    w.host.run([&] { return w.simulation.now() >= later; });
    const Time asked = w.simulation.now();
    w.cloud.terminate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
    EXPECT_LT(w.simulation.now() - asked, 60s) << w.lines;
  });
}

TEST_P(BootedGuest, RunsCronsJobsAtVirtualTimes) {
  if (access("/usr/sbin/cron", X_OK) != 0) GTEST_SKIP() << "cron is not installed";
  in_world([](HostWorld& w) {
    const std::string text =
        console_of(w,
                   "#!/bin/bash\nsleep $((60 - $(date +%-S)))\n"
                   "echo '*/10 * * * * date +\\%H:\\%M >>/tmp/tens' | crontab -\n"
                   "sleep 300\n"
                   "(crontab -l; echo '* * * * * echo x >>/tmp/minutes') | crontab -\n"
                   "echo '* * * * * echo $LOGNAME $HOME >>~/who' | crontab -u ubuntu -\n"
                   "sleep 1200; cat /tmp/tens | cut -c4,5 | tr '\\n' ' '; wc -l </tmp/minutes\n"
                   "sort -u /home/ubuntu/who; crontab -u ubuntu -r\n"
                   "systemctl is-active cron; service cron stop; sleep 600; wc -l </tmp/minutes\n");
    // A time of :x0 occurs two or three times in 25 minutes.
    EXPECT_TRUE(
        std::regex_match(text, std::regex("([0-5]0 ){2,3}20\nubuntu /home/ubuntu\nactive\n20\n")))
        << text;
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, BootedGuest, testing::Values(Level::kRoot, Level::kUserNamespaces),
                         [](const auto& of) {
                           return of.param == Level::kRoot ? "Root" : "UserNamespaces";
                         });

TEST(PlainBoot, RunsScriptsAndReportsWhatItCannotDo) {
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kPlain);
    const auto id = w.launch_with(
        "#cloud-config\nruncmd: [\"echo $0; grep -c running $SPOTRUN_ROOT/var/log/"
        "cloud-init-output.log\"]\nhostname: other\nwrite_files: [{path: "
        "/etc/spotsim-was-here}]\n");
    ASSERT_TRUE(w.host.run([&] { return contains(w.whole_console(id.value), " finished at "); }));
    const std::string text = w.console(id.value);
    EXPECT_TRUE(contains(text, "/var/lib/cloud/instance/scripts/runcmd\n3\n")) << text;
    EXPECT_TRUE(contains(text, "cc_write_files.py[WARNING]: not done without namespaces"));
    EXPECT_FALSE(std::filesystem::exists("/etc/spotsim-was-here"));
  }));
}

}  // namespace
}  // namespace sim::guest
