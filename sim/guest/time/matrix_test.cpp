// Unmodified programs under virtual time, each in lockstep and free-running.
#include <gtest/gtest.h>
#include <unistd.h>

#include <ostream>
#include <regex>

#include "sim/guest/sandbox/guest_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest::test {
namespace {

struct Program {
  const char* name;
  std::vector<std::string> command;
  const char* expected;  // a regular expression on "output rc=status"
  const char* needs = nullptr;
};

const char* const kPython = "/usr/bin/python3";

std::vector<Program> programs() {
  return {
      {"BashSleep", {"bash", "-c", "sleep 3600; echo $SECONDS"}, "^3600\nrc=0"},
      {"StaticBinary", {SPOTSIM_WAITS_PROGRAM, "tick"}, "^slept 500, wall \\+500\nrc=0"},
      {"PythonSleep",
       {kPython, "-c", "import time;a=time.time();time.sleep(1000);print(round(time.time()-a))"},
       "^1000\nrc=0",
       kPython},
      {"PythonEvent",
       {kPython, "-c",
        "import time,threading;a=time.time();threading.Event().wait(1000);"
        "print(round(time.time()-a))"},
       "^1000\nrc=0",
       kPython},
      {"PythonQueue",
       {kPython, "-c",
        "import time,threading,queue\n"
        "q=queue.Queue();a=time.time()\n"
        "threading.Thread(target=lambda:(time.sleep(300),q.put(1))).start()\n"
        "q.get(timeout=1000);print(round(time.time()-a))"},
       "^300\nrc=0",
       kPython},
      {"PythonAsyncio",
       {kPython, "-c",
        "import asyncio,time\n"
        "async def m():\n"
        "  a=time.time();await asyncio.gather(*[asyncio.sleep(i) for i in range(1,200)])\n"
        "  print(round(time.time()-a))\n"
        "asyncio.run(m())"},
       "^199\nrc=0",
       kPython},
      {"PythonSubprocessTimeout",
       {kPython, "-c",
        "import subprocess,time\n"
        "a=time.time()\n"
        "try: subprocess.run(['sleep','500'],timeout=60)\n"
        "except subprocess.TimeoutExpired: print(round(time.time()-a))"},
       "^60\nrc=0",
       kPython},
      {"CoreutilsTimeout", {"timeout", "100", "sleep", "500"}, "rc=124"},
      {"BashReadTimeout",
       {"bash", "-c", "read -t 77 x < <(sleep 200); echo $? $SECONDS"},
       "^142 77\nrc=0"},
      {"BashKill",
       {"bash", "-c", "sleep 300 & p=$!; (sleep 10; kill $p) & wait $p; echo $? $SECONDS"},
       "^143 10\nrc=0"},
      {"CurlMaxTime",
       {kPython, "-c",
        "import socket,subprocess,time\n"
        "s=socket.socket();s.bind(('127.0.0.1',0));s.listen();a=time.time()\n"
        "r=subprocess.run(['curl','-s','--max-time','30','http://127.0.0.1:%d/'%"
        "s.getsockname()[1]])\n"
        "print(r.returncode,round(time.time()-a))"},
       "^28 30\nrc=0",
       "/usr/bin/curl"},
      {"CurlRetry",
       {"bash", "-c",
        "curl -s --retry 3 --retry-delay 20 --retry-connrefused http://127.0.0.1:1/;"
        " echo $? $SECONDS"},
       "^7 60\nrc=0",
       "/usr/bin/curl"},
      {"Mount",
       {"unshare", "-m", "bash", "-c",
        "mount -t tmpfs none /mnt && echo hi > /mnt/f && sleep 100 && echo $(cat /mnt/f) $SECONDS"
        " && umount /mnt"},
       "^hi 100\nrc=0",
       "root"},
      {"Git",
       {"bash", "-c",
        "d=$(mktemp -d); cd $d && git init -q . && G='git -c user.name=a -c user.email=a@b commit"
        " -q --allow-empty'; $G -m x; sleep 86400; $G -m y; echo $(TZ=UTC git log --format=%cs);"
        " rm -r $d"},
       "^2020-01-02 2020-01-01\nrc=0",
       "/usr/bin/git"},
      {"PythonThreads",
       {kPython, "-c",
        "import threading\n"
        "n=[0]\n"
        "def w():\n"
        "  for _ in range(200000): n[0]+=1\n"
        "ts=[threading.Thread(target=w) for _ in range(4)];[t.start() for t in ts]\n"
        "[t.join(timeout=100) for t in ts];print(n[0])"},
       "^800000\nrc=0",
       kPython},
      {"PythonAlarm",
       {kPython, "-c",
        "import signal,time\n"
        "signal.signal(signal.SIGALRM,lambda *a:None);a=time.time();signal.alarm(7)\n"
        "signal.pause();print(round(time.time()-a))"},
       "^7\nrc=0",
       kPython},
      {"JavaSleep",
       {"java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto",
        SPOTSIM_SOURCE_DIR "/sim/guest/test_program/Sleep.java"},
       "^20\nrc=0",
       "/usr/bin/java"},
      {"AwsCliBacksOff",
       {"env", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_DEFAULT_REGION=us-east-1",
        "AWS_MAX_ATTEMPTS=5", "AWS_RETRY_MODE=standard", "/usr/bin/aws", "ec2",
        "describe-instances", "--endpoint-url", "http://127.0.0.1:1"},
       "rc=255",
       "/usr/bin/aws"},
  };
}

// GoogleTest names a case by its parameter: the program, not its bytes.
void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }

class Matrix : public testing::TestWithParam<std::tuple<Program, bool>> {};

TEST_P(Matrix, RunsRight) {
  const auto& [program, lockstep] = GetParam();
  if (lockstep && !lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  if (program.needs != nullptr && std::string(program.needs) == "root") {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
  } else if (program.needs != nullptr && access(program.needs, X_OK) != 0) {
    GTEST_SKIP() << program.needs << " is not installed";
  }
  SupervisorOptions options;
  options.lockstep = lockstep;
  const Outcome outcome = outcome_of(program.command, options);
  EXPECT_TRUE(std::regex_search(outcome.text, std::regex(program.expected)))
      << "got: " << outcome.text << "\nexpected: " << program.expected;
}

INSTANTIATE_TEST_SUITE_P(Programs, Matrix,
                         testing::Combine(testing::ValuesIn(programs()), testing::Bool()),
                         [](const auto& tried) {
                           return std::string(std::get<0>(tried.param).name) +
                                  (std::get<1>(tried.param) ? "InLockstep" : "FreeRunning");
                         });

}  // namespace
}  // namespace sim::guest::test
