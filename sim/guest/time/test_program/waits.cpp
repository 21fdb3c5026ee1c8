// A static program that waits in the way that its argument names and prints the result: each family
// of trapped calls from a program's view. Times are in seconds of its own clocks.
#include "sim/guest/time/test_program/waits.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

void bad_pointers() {
  void* nowhere = reinterpret_cast<void*>(8);
  const auto failed = [](long result) { return result == -1 && errno == EFAULT; };
  std::printf("%d%d%d%d%d\n", failed(syscall(SYS_nanosleep, nowhere, nullptr)),
              failed(syscall(SYS_clock_gettime, CLOCK_REALTIME, nowhere)),
              failed(syscall(SYS_poll, nowhere, 3, 1000)),
              failed(syscall(SYS_timer_create, CLOCK_REALTIME, nullptr, nowhere)),
              failed(syscall(SYS_getrandom, nowhere, 16, 0)));
  const timespec invalid{1, 2'000'000'000};
  errno = 0;
  std::printf("%d%d%d\n", syscall(SYS_nanosleep, &invalid, nullptr) == -1 && errno == EINVAL,
              syscall(SYS_poll, &invalid, std::uint64_t{1} << 31, 1000) == -1 && errno == EINVAL,
              syscall(SYS_io_uring_setup, 1, nullptr) == -1 && errno == ENOSYS);
}

void forever() { pause(); }

void spin() {
  const double start = now();
  while (since(start) < 0.005) {
  }
  std::printf("%.3f\n", since(start));
}

// A child sends signals while this process reads clocks.
void clocks_among_signals() {
  handle(SIGUSR1);
  const pid_t parent = getpid();
  const pid_t child = later(0, [parent] {
    for (int i = 0; i < 3000; ++i) kill(parent, SIGUSR1);
  });
  int failed = 0;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    timespec t{};
    timeval tv{};
    failed += clock_gettime(CLOCK_REALTIME, &t) != 0 || gettimeofday(&tv, nullptr) != 0;
    failed += t.tv_sec == 0 || tv.tv_sec == 0 || time(nullptr) <= 0;
  }
  std::printf("%d failed\n", failed);
}

void random_bytes() {
  std::uint64_t word[2] = {};
  syscall(SYS_getrandom, word, sizeof word, 0);
  std::printf("%016lx%016lx\n", word[0], word[1]);
}

void killed_sleeper() {
  const pid_t child = later(100'000, [] {});
  sleep(5);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("signal %d at %.0f\n", WTERMSIG(status), now());
}

void fifty_sleepers() {
  const double start = now();
  for (unsigned i = 1; i <= 50; ++i) later(i * 10, [] {});
  int ended = 0;
  while (wait(nullptr) > 0) ++ended;
  std::printf("%d after %.0f\n", ended, since(start));
}

void durable() {
  const int fd = open("/dev/null", O_WRONLY);
  const double start = now();
  const int result = fsync(fd);
  std::printf("%d after %.0f\n", result, since(start));
}

// Forty threads that compute in turns, some seconds of CPU time in all.
constexpr int kRunners = 40, kRounds = 25;
int batons[kRunners][2];
void* run_relay(void* first) {
  const auto runner = static_cast<int(*)[2]>(first) - batons;
  char baton = 0;
  for (int round = 0; round < kRounds && read(batons[runner][0], &baton, 1) == 1; ++round) {
    for (volatile int i = 0; i < 4'000'000; i = i + 1) {
    }
    if (write(batons[(runner + 1) % kRunners][1], &baton, 1) != 1) break;
  }
  return nullptr;
}
void relay() {
  const double start = now();
  pthread_t runners[kRunners];
  for (auto& baton : batons)
    if (pipe(baton) != 0) return;
  for (int i = 0; i < kRunners; ++i) pthread_create(&runners[i], nullptr, run_relay, batons[i]);
  if (write(batons[0][1], "b", 1) != 1) return;
  for (const pthread_t runner : runners) pthread_join(runner, nullptr);
  std::printf("after %.0f\n", since(start));
}

// A thread that another thread wakes and that then reads the time: how late it is at most.
struct Nudges {
  int pipe[2];
  double nudged_at, latest;
};
void* take_nudges(void* given) {
  auto& nudges = *static_cast<Nudges*>(given);
  for (char byte; read(nudges.pipe[0], &byte, 1) == 1;)
    nudges.latest = std::max(nudges.latest, since(nudges.nudged_at));
  return nullptr;
}
void nudges() {
  Nudges nudges{};
  pthread_t taker;
  if (pipe(nudges.pipe) != 0 || pthread_create(&taker, nullptr, take_nudges, &nudges) != 0) return;
  for (int i = 0; i < 1000; ++i) {
    nudges.nudged_at = now();
    if (write(nudges.pipe[1], "n", 1) != 1) return;
    sleep(1);
  }
  close(nudges.pipe[1]);
  pthread_join(taker, nullptr);
  std::printf("%.0f s late\n", nudges.latest);
}

void repeat_sleeps(long count) {
  const timespec millisecond{0, 1'000'000};
  for (long i = 0; i < count; ++i) nanosleep(&millisecond, nullptr);
}
void repeat_reads(long count) {
  for (long i = 0; i < count; ++i) now();
}

struct {
  const char* name;
  void (*run)();
} constexpr kWaits[] = {
    {"tick", tick},
    {"clocks", clocks},
    {"many-reads", many_reads},
    {"timer-among-reads", timer_among_reads},
    {"interrupted-sleep", interrupted_sleep},
    {"alarm-and-itimer", alarm_and_itimer},
    {"posix-timers", posix_timers},
    {"timer-thread", timer_thread},
    {"timer-file", timer_file},
    {"futexes", futexes},
    {"timed-join", timed_join},
    {"signal-wait", signal_wait},
    {"polls", polls},
    {"ended-waits", ended_waits},
    {"masked-poll", masked_poll},
    {"bad-pointers", bad_pointers},
    {"forever", forever},
    {"spin", spin},
    {"clocks-among-signals", clocks_among_signals},
    {"random", random_bytes},
    {"killed-sleeper", killed_sleeper},
    {"fifty-sleepers", fifty_sleepers},
    {"durable", durable},
    {"relay", relay},
    {"nudges", nudges},
};

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "";
  for (const auto& wait : kWaits)
    if (name == wait.name) {
      setvbuf(stdout, nullptr, _IOLBF, 0);  // children must not print their parent's text again
      wait.run();
      return 0;
    }
  if (name == "sleeps" && count > 2) return repeat_sleeps(std::atol(arguments[2])), 0;
  if (name == "reads" && count > 2) return repeat_reads(std::atol(arguments[2])), 0;
  std::fprintf(stderr, "unknown wait: %s\n", name.c_str());
  return 2;
}
