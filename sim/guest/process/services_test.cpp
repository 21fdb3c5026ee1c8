// Services and the system's log, in instances.
#include <gtest/gtest.h>

#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/levels_for_test.h"

namespace sim::guest {
namespace {

using test::HostWorld;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

class Services : public testing::TestWithParam<Level> {
 protected:
  // Runs the test at the level. If the level needs no root rights, it runs as a user without them.
  static void in_world(const std::function<void(HostWorld&)>& body) {
    test::in_world_at(
        GetParam(), [] { return HostWorld(GetParam()); }, body);
  }
  static std::string console_of(HostWorld& w, const std::string& script) {
    const auto id = w.launch("exec 2>&1\n" + script);
    EXPECT_TRUE(w.host.run([&] { return holds(w.whole_console(id.value), " finished at "); }));
    return w.console(id.value);
  }
};

// A unit file with these lines after [Service].
std::string unit(const std::string& name, const std::string& service) {
  return "cat >/etc/systemd/system/" + name + ".service <<'E'\n[Unit]\nDescription=of " + name +
         "\n[Service]\n" + service + "\n[Install]\nWantedBy=multi-user.target\nE\n";
}

TEST_P(Services, OutputThroughLoggerReachesSyslogAndTheConsole) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w,
        "exec > >(tee /var/log/user-data.log | logger -t user-data -s 2>/dev/console) 2>&1\n"
        "echo one; logger -p auth.info -t me secret; sleep 1\n"
        "grep -c 'user-data: one' /var/log/syslog; grep -c secret /var/log/syslog\n"
        "cut -d' ' -f5- /var/log/auth.log | sed s/$(hostname)/HOST/; sleep 1\n");
    EXPECT_TRUE(holds(text, "user-data: one\n")) << text;
    EXPECT_TRUE(holds(text, "user-data: 1\n") && holds(text, "user-data: 0\n")) << text;
    EXPECT_TRUE(holds(text, "HOST me: secret\n")) << text;
  });
}

TEST_P(Services, RunsAServiceUntilItIsStopped) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w, unit("x",
                "Environment=NAME=train \"MORE=two words\"\nWorkingDirectory=/opt\n"
                "ExecStart=/bin/bash -c 'echo $$PWD ${NAME} \"$MORE\" home=$${HOME-unset}; while "
                "sleep 60; do date >>/tmp/x; done'") +
               "systemctl daemon-reload; systemctl enable --now x; echo $?\n"
               "systemctl is-active x; systemctl is-enabled x.service; sleep 125; wc -l </tmp/x\n"
               "systemctl status x | head -n 3; systemctl stop x; systemctl is-active x; echo $?\n"
               "sleep 300; wc -l </tmp/x; systemctl disable x; systemctl is-enabled x\n"
               "journalctl -u x | cut -d' ' -f5- | sed 's/bash.[0-9]*./bash/' | cut -d' ' -f2-\n");
    EXPECT_EQ(text,
              "Created symlink /etc/systemd/system/multi-user.target.wants/x.service → "
              "/etc/systemd/system/x.service.\n0\nactive\nenabled\n2\n● x.service - of x\n"
              "     Loaded: loaded (/etc/systemd/system/x.service; enabled)\n"
              "     Active: active (running)\ninactive\n3\n2\nRemoved "
              "/etc/systemd/system/multi-user.target.wants/x.service.\ndisabled\n"
              "systemd[1]: Started x.service - of x.\nbash: /opt train two words home=unset\n"
              "systemd[1]: Stopped x.service - of x.\n");
  });
}

TEST_P(Services, RunsTimersOnVirtualTime) {
  in_world([](HostWorld& w) {
    const auto timer = [](const std::string& name, const std::string& keys) {
      return "cat >/etc/systemd/system/" + name + ".timer <<'E'\n[Timer]\n" + keys +
             "\n[Install]\nWantedBy=timers.target\nE\n";
    };
    const auto job = [](const std::string& name) {
      return unit(name, "Type=oneshot\nExecStart=/bin/sh -c 'date +%%s >>/tmp/" + name + "'");
    };
    const std::string text = console_of(
        w, job("tens") + timer("tens", "OnCalendar=*:0/10") + job("often") +
               timer("often", "OnActiveSec=30\nOnUnitActiveSec=1min\nUnit=often.service") +
               "sleep $((605 - $(date +%s) % 600)); systemctl enable --now tens.timer; echo $?\n"
               "systemctl start often.timer; systemctl is-active often.timer; sleep 100\n"
               "wc -l </tmp/often; systemctl list-timers --all | grep -o '[a-z]*.timer .*'; sleep "
               "1100\n"
               "systemctl status often.timer | grep Active\n"
               "echo $(awk '{print $1 % 600}' /tmp/tens) $(wc -l </tmp/often)\n"
               "systemctl stop often.timer; systemctl is-active often.timer; sleep 300\n"
               "wc -l </tmp/often; touch /etc/systemd/system/x.socket; systemctl start x.socket\n");
    EXPECT_EQ(text,
              "Created symlink /etc/systemd/system/timers.target.wants/tens.timer → "
              "/etc/systemd/system/tens.timer.\n0\nactive\n2\noften.timer often.service\n"
              "tens.timer tens.service\n     Active: active (waiting)\n0 0 20\ninactive\n20\n"
              "systemctl: start x.socket: only services and timers are run on a simulated "
              "instance\n");
  });
}

TEST_P(Services, StartsAgainWhatFailsButNotForEver) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w, unit("slow",
                "ExecStart=/bin/sh -c 'date +%%s >>/tmp/slow; exit 3'\nRestart=always\n"
                "RestartSec=20") +
               unit("quick",
                    "ExecStart=/bin/sh -c 'echo x >>/tmp/quick; exit 3'\nRestart=on-failure") +
               unit("fine", "ExecStart=/bin/sh -c 'echo x >>/tmp/fine'\nRestart=on-failure") +
               "systemctl start slow quick fine; sleep 50; wc -l </tmp/slow; wc -l </tmp/quick\n"
               "wc -l </tmp/fine; systemctl is-active slow quick fine; systemctl is-failed quick\n"
               "systemctl stop slow; sleep 100; wc -l </tmp/slow\n");
    EXPECT_EQ(text, "3\n5\n1\nactivating\nfailed\ninactive\nfailed\n3\n");
  });
}

TEST_P(Services, WaitsForAOneshotAndFindsAForkedDaemon) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w, unit("once",
                "Type=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sleep 30\n"
                "ExecStart=/bin/sh -c 'echo done >/tmp/once'\nExecStop=/bin/rm /tmp/once") +
               unit("bad", "Type=oneshot\nExecStart=/bin/false") +
               unit("fork", "Type=forking\nExecStart=/bin/sh -c 'setsid sleep 1000 & sleep 1'") +
               "a=$(date +%s); systemctl start once; echo $(($(date +%s) - a)) $?; cat /tmp/once\n"
               "systemctl is-active once; systemctl stop once; ls /tmp/once\n"
               "systemctl start bad | head -n 1; systemctl start fork; pgrep -c sleep\n"
               "systemctl stop fork; pgrep -c sleep\n");
    EXPECT_EQ(text,
              "30 0\ndone\nactive\nls: cannot access '/tmp/once': No such file or directory\n"
              "Job for bad.service failed because the control process exited with error code.\n"
              "See \"systemctl status bad.service\" and \"journalctl -xeu bad.service\" for "
              "details.\n1\n0\n");
  });
}

TEST_P(Services, StopCommandsRunWhenTheMachineEnds) {
  in_world([](HostWorld& w) {
    const auto id = w.launch(unit("hook",
                                  "Type=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n"
                                  "ExecStop=/bin/sh -c 'sleep 2; echo saved >/dev/console'") +
                             "systemctl start hook; sleep 10; shutdown -h now; sleep 1000\n");
    ASSERT_TRUE(w.wait(id, cloud::InstanceState::kTerminated));
    EXPECT_TRUE(holds(w.console(id.value), "saved\n")) << w.whole_console(id.value);
  });
}

TEST_P(Services, ReportsWhatItLacks) {
  in_world([](HostWorld& w) {
    const std::string text = console_of(
        w, unit("mem", "MemoryMax=1G\nExecStart=/nowhere") +
               "systemctl start mem; echo $?; sleep 1; systemctl is-active mem\n"
               "systemctl start nothing; echo $?; hostnamectl set-hostname other; hostname\n"
               "timedatectl set-timezone Europe/Berlin; date +%Z; journalctl -u nothing\n"
               "dd if=/dev/zero of=/swap bs=4096 count=10 2>/dev/null; chmod 600 /swap\n"
               "mkswap /swap >/dev/null && swapon /swap && echo swap\n");
    EXPECT_EQ(text,
              "systemd[1]: /etc/systemd/system/mem.service: MemoryMax= does nothing on a simulated "
              "instance\n0\nfailed\nFailed to start nothing.service: Unit nothing.service not "
              "found.\n5\nother\nCET\n-- No entries --\nswap\n");
  });
}

TEST_P(Services, HaveTheirUser) {
  if (GetParam() != Level::kRoot) GTEST_SKIP() << "there is one user";
  in_world([](HostWorld& w) {
    EXPECT_EQ(console_of(w, unit("who",
                                 "Type=oneshot\nUser=ubuntu\nWorkingDirectory=~\n"
                                 "ExecStart=/bin/sh -c 'id -un; pwd; echo $$HOME; id -nG'\n"
                                 "StandardOutput=append:/tmp/who") +
                                "systemctl start who; cat /tmp/who\n"
                                "sudo -u ubuntu systemctl start who\n"),
              "ubuntu\n/home/ubuntu\n/home/ubuntu\nubuntu adm sudo\n"
              "Failed to start who: Interactive authentication required.\n");
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, Services, testing::Values(Level::kRoot, Level::kUserNamespaces),
                         [](const auto& of) {
                           return of.param == Level::kRoot ? "Root" : "UserNamespaces";
                         });

}  // namespace
}  // namespace sim::guest
