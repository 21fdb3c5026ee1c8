// Sleeps, timers, and reads of clocks.
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include "sim/guest/time/test_program/waits.h"

void tick() {
  const double start = now();
  const time_t wall = time(nullptr);
  sleep(500);
  std::printf("slept %.0f, wall +%ld\n", since(start), static_cast<long>(time(nullptr) - wall));
}

void clocks() {
  std::printf("%.0f %.0f %.0f %d\n", now(CLOCK_REALTIME), now(CLOCK_TAI), now(CLOCK_MONOTONIC),
              now(CLOCK_PROCESS_CPUTIME_ID) < 5);
  errno = 0;
  timespec t{};
  const int result = clock_settime(CLOCK_REALTIME, &t);
  std::printf("%d %d\n", result, errno == EPERM);
}

static std::int64_t nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

// A child reads several times, and the parent waits for the child and reads, too.
void many_reads() {
  const auto steps = [](const char* who) {
    const std::int64_t ahead = nanoseconds(CLOCK_REALTIME) - nanoseconds(CLOCK_MONOTONIC) + 1000;
    int wrong = 0;
    std::int64_t before = nanoseconds(CLOCK_MONOTONIC);
    for (int i = 0; i < 10'000; ++i) {
      const clockid_t clock = i % 3 == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
      const std::int64_t now = nanoseconds(clock) - (clock == CLOCK_REALTIME ? ahead : 0);
      if (now - before != 1000) ++wrong;
      before = now;
    }
    std::printf("%s: %d wrong\n", who, wrong);
  };
  steps("parent");
  if (fork() == 0) {
    steps("child");
    _exit(0);
  }
  wait(nullptr);
  steps("parent");
}

static volatile sig_atomic_t timer_expired = 0;

// A timer expires while the clock is read without end; a tenth of a second each.
void timer_among_reads() {
  signal(SIGALRM, [](int) { timer_expired = 1; });
  for (int i = 0; i < 3; ++i) {
    timer_expired = 0;
    const itimerval tenth{{}, {0, 100'000}};
    const std::int64_t start = nanoseconds(CLOCK_MONOTONIC);
    setitimer(ITIMER_REAL, &tenth, nullptr);
    std::int64_t now = start;
    while (timer_expired == 0) now = nanoseconds(CLOCK_MONOTONIC);
    std::printf("after %ld us\n", static_cast<long>((now - start) / 1000));
  }
}

void interrupted_sleep() {
  handle(SIGUSR1);
  const pid_t parent = getpid();
  later(10, [parent] { kill(parent, SIGUSR1); });
  const double start = now();
  const unsigned left = sleep(60);
  std::printf("left %u after %.0f\n", left, since(start));
}

void alarm_and_itimer() {
  handle(SIGALRM);
  double start = now();
  alarm(100);
  sleep(30);
  const unsigned remaining = alarm(7);
  std::printf("%u left\n", remaining);
  pause();
  std::printf("alarm after %.0f\n", since(start));
  start = now();
  const itimerval every{{2, 0}, {5, 0}};
  setitimer(ITIMER_REAL, &every, nullptr);
  pause();
  pause();
  itimerval left{};
  getitimer(ITIMER_REAL, &left);
  std::printf("itimer after %.0f, every %ld\n", since(start),
              static_cast<long>(left.it_interval.tv_sec));
}

void posix_timers() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_int = 41;
  timer_t first, second;
  timer_create(CLOCK_REALTIME, &event, &first);
  event.sigev_signo = SIGUSR1;
  event.sigev_value.sival_int = 42;
  timer_create(CLOCK_MONOTONIC, &event, &second);
  const double start = now();
  const itimerspec twenty{{20, 0}, {20, 0}}, thirty{{0, 0}, {30, 0}};
  timer_settime(first, 0, &twenty, nullptr);
  timer_settime(second, 0, &thirty, nullptr);
  for (int i = 0; i < 3; ++i) {
    siginfo_t info{};
    sigwaitinfo(&set, &info);
    std::printf("%d at %.0f timer %d\n", info.si_value.sival_int, since(start),
                info.si_code == SI_TIMER);
  }
  itimerspec left{};
  timer_gettime(first, &left);
  std::printf("left %.0f %d\n", static_cast<double>(left.it_value.tv_sec) + 0.5,
              timer_delete(first) == 0 && timer_delete(first) == -1);
}

static void on_timer(sigval value) { *static_cast<double*>(value.sival_ptr) = now(); }
void timer_thread() {
  double seen = 0;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = on_timer;
  event.sigev_value.sival_ptr = &seen;
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const double start = now();
  const itimerspec at{{0, 0}, {25, 0}};
  timer_settime(timer, 0, &at, nullptr);
  sleep(60);
  std::printf("called after %.0f\n", seen - start);
}

void timer_file() {
  const int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  const double start = now();
  const itimerspec every{{10, 0}, {15, 0}};
  timerfd_settime(fd, 0, &every, nullptr);
  std::uint64_t count = 0;
  const ssize_t a = read(fd, &count, sizeof count);
  std::printf("%zd %lu at %.0f\n", a, count, since(start));
  pollfd p{fd, POLLIN, 0};
  const int ready = poll(&p, 1, 60'000);
  std::printf("poll %d at %.0f\n", ready, since(start));
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  const itimerspec absolute{{0, 0}, {t.tv_sec + 100, t.tv_nsec}};
  itimerspec old{};
  timerfd_settime(fd, TFD_TIMER_ABSTIME, &absolute, &old);
  std::printf("interval %ld\n", static_cast<long>(old.it_interval.tv_sec));
  if (read(fd, &count, sizeof count) == sizeof count) std::printf("at %.0f\n", since(start));
}
