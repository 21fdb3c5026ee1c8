// A static program that waits in one way, named by its argument, and prints what it saw: what each
// family of trapped calls looks like from inside. Times are in seconds of its own clocks.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <string>

namespace {

double now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
double since(double start) { return now() - start; }
void on_signal(int) {}
void handle(int signal) {  // without SA_RESTART
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(signal, &action, nullptr);
}
// A child that does something after a while.
template <typename Action>
pid_t later(unsigned seconds, Action action) {
  const pid_t child = fork();
  if (child != 0) return child;
  sleep(seconds);
  action();
  _exit(0);
}

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

std::int64_t nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

// Reads that are one after the other, of a child's and of its parent's, which waits for it.
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

volatile sig_atomic_t timer_expired = 0;

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

void on_timer(sigval value) { *static_cast<double*>(value.sival_ptr) = now(); }
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

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool flag = false;
int wait_until(double seconds) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += static_cast<time_t>(seconds);
  pthread_mutex_lock(&mutex);
  int result = 0;
  while (!flag && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return result;
}
void* signal_later(void*) {
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

void* sleep_forty(void*) {
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

int news[2];  // a pipe, as programs make their loops hear of signals

// A signal ends each wait, and its handler makes what was waited for ready: the result of the call
// must not be written any more, since its memory may be another's.
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
  for (unsigned round = 0; child == 0;
       ++round) {  // one signal for each wait, and at any moment of it
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

// A child signals all the while that this one reads clocks.
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

// A thread that another one wakes and that takes the time then: how late it is at most.
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
