// Waits for locks, threads, signals and files, with and without a limit.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <new>

#include "sim/guest/time/test_program/waits.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool flag = false;
static int wait_until(double seconds) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += static_cast<time_t>(seconds);
  pthread_mutex_lock(&mutex);
  int result = 0;
  while (!flag && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return result;
}
static void* signal_later(void*) {
  sleep(20);
  pthread_mutex_lock(&mutex);
  flag = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}
void futexes() {
  double start = now();
  int result = wait_until(70);
  std::printf("timed out %d after %.0f\n", result == ETIMEDOUT, since(start));
  pthread_t thread;
  pthread_create(&thread, nullptr, signal_later, nullptr);
  start = now();
  result = wait_until(70);
  std::printf("woken %d after %.0f\n", result == 0, since(start));
  pthread_join(thread, nullptr);
}

static void* sleep_forty(void*) {
  sleep(40);
  return nullptr;
}
void timed_join() {
  pthread_t thread;
  pthread_create(&thread, nullptr, sleep_forty, nullptr);
  const double start = now();
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 10;
  const bool late = pthread_timedjoin_np(thread, nullptr, &until) == ETIMEDOUT;
  std::printf("%d after %.0f\n", late, since(start));
  until.tv_sec += 500;
  const int joined = pthread_timedjoin_np(thread, nullptr, &until);
  std::printf("%d after %.0f\n", joined, since(start));
}

void signal_wait() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const timespec fifty{50, 0};
  const double start = now();
  errno = 0;
  const int none = sigtimedwait(&set, nullptr, &fifty);
  std::printf("%d %d after %.0f\n", none, errno == EAGAIN, since(start));
  const pid_t parent = getpid();
  later(20, [parent] { kill(parent, SIGUSR1); });
  const int seen = sigtimedwait(&set, nullptr, &fifty);
  std::printf("%d after %.0f\n", seen == SIGUSR1, since(start));
}

void polls() {
  int ends[2];
  if (pipe(ends) != 0) return;
  pollfd p{ends[0], POLLIN, 77};
  double start = now();
  int n = poll(&p, 1, 30'000);
  std::printf("poll %d %d after %.0f\n", n, p.revents, since(start));
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  timeval timeout{30, 0};
  start = now();
  n = select(ends[0] + 1, &set, nullptr, nullptr, &timeout);
  std::printf("select %d %d after %.0f\n", n, FD_ISSET(ends[0], &set) != 0, since(start));
  const int epoll = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = 0x1122334455667788;
  epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
  start = now();
  n = epoll_wait(epoll, &event, 1, 30'000);
  std::printf("epoll %d after %.0f\n", n, since(start));

  later(12, [&] { (void)!write(ends[1], "x", 1); });
  start = now();
  n = poll(&p, 1, 30'000);
  std::printf("poll %d %d after %.0f\n", n, p.revents == POLLIN, since(start));
  FD_SET(ends[0], &set);
  n = select(ends[0] + 1, &set, nullptr, nullptr, &timeout);
  timeout = {30, 0};
  FD_SET(ends[0], &set);
  n = select(ends[0] + 1, &set, nullptr, nullptr, &timeout);
  std::printf("select %d %d left %ld\n", n, FD_ISSET(ends[0], &set) != 0,
              static_cast<long>(timeout.tv_sec));
  event = {};
  n = epoll_wait(epoll, &event, 1, 30'000);
  std::printf("epoll %d %d after %.0f\n", n, event.data.u64 == 0x1122334455667788, since(start));
}

static int news[2];  // a pipe: programs use one to make their loops notice signals

// A signal ends each wait, and its handler makes the awaited object ready. The result of the call
// must not be written any more, because its memory may have another use.
void ended_waits() {
  if (pipe2(news, O_NONBLOCK) != 0) return;
  struct sigaction action {};
  action.sa_handler = [](int) { (void)!write(news[1], "x", 1); };
  sigaction(SIGUSR1, &action, nullptr);
  void* const shared =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& waits = *new (shared) std::atomic<int>(0);
  const pid_t parent = getpid();
  const pid_t child = fork();
  for (unsigned round = 0; child == 0; ++round) {  // one signal per wait, at any moment of it
    while (waits.exchange(0) == 0) continue;
    for (volatile unsigned spun = 0; spun < round % 64 * 1000; ++spun) continue;
    kill(parent, SIGUSR1);
  }
  constexpr pollfd kUsedAgain{77, 77, 77};
  static pollfd entries[20'000];
  long ended = 0;
  for (pollfd& entry : entries) {
    entry = {news[0], POLLIN, 0};
    waits = 1;
    if (poll(&entry, 1, 3'600'000) < 0) {
      entry = kUsedAgain;
      ++ended;
    }
    char byte;
    (void)!read(news[0], &byte, 1);
  }
  kill(child, SIGKILL);
  const long kept = std::ranges::count(entries, kUsedAgain.fd, &pollfd::fd);
  std::printf("%d ended, %ld overwritten\n", ended > 1000, ended - kept);
}

void masked_poll() {
  handle(SIGUSR1);
  sigset_t set, none;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const pid_t parent = getpid();
  later(15, [parent] { kill(parent, SIGUSR1); });
  const double start = now();
  const timespec timeout{60, 0};
  errno = 0;
  const int n = pselect(0, nullptr, nullptr, nullptr, &timeout, &none);
  std::printf("%d %d after %.0f\n", n, errno == EINTR, since(start));
}
