// A static program whose threads, or child, run at the same time as it waits for this machine's
// disk. Its argument names the kind of race; it prints the winner, twenty times. M is the main
// thread.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

constexpr int kRounds = 20;

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

// A file that has no name and is not in memory.
int file_on_disk() {
  char name[] = "/var/tmp/threads-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0 || unlink(name) != 0) std::abort();
  const std::string bytes(1 << 20, 'x');
  if (write(file, bytes.data(), bytes.size()) < 0 || fsync(file) != 0) std::abort();
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  return file;
}
void read_from_disk(int file) {
  std::array<char, 4096> page;
  for (off_t at = 0; pread(file, page.data(), page.size(), at) > 0; at += 1 << 16) {
  }
  close(file);
}

std::atomic<char> first;
void come(char who) {
  char nobody = 0;
  first.compare_exchange_strong(nobody, who);
}

void* begin(void*) {
  come('T');
  return nullptr;
}
char beside_a_thread_that_begins() {
  const int file = file_on_disk();
  pthread_t thread;
  pthread_create(&thread, nullptr, begin, nullptr);
  read_from_disk(file);
  come('M');
  pthread_join(thread, nullptr);
  return first;
}

sem_t go;
void* wait_for_it(void*) {
  sem_wait(&go);
  come('T');
  return nullptr;
}
char beside_a_thread_that_is_woken() {
  const int file = file_on_disk();
  pthread_t thread;
  sem_init(&go, 0, 0);
  pthread_create(&thread, nullptr, wait_for_it, nullptr);
  usleep(1000);
  sem_post(&go);
  read_from_disk(file);
  come('M');
  pthread_join(thread, nullptr);
  return first;
}

char beside_a_child() {
  int channel[2];
  if (pipe(channel) != 0) std::abort();
  const int file = file_on_disk();
  const auto come_here = [&](char who) {
    if (write(channel[1], &who, 1) != 1) std::abort();
  };
  const pid_t child = fork();
  if (child == 0) {
    come_here('C');
    _exit(0);
  }
  read_from_disk(file);
  come_here('M');
  waitpid(child, nullptr, 0);
  char who = 0;
  if (read(channel[0], &who, 1) != 1) std::abort();
  close(channel[0]);
  close(channel[1]);
  return who;
}

std::atomic<bool> done;
void* take_five_milliseconds(void*) {
  usleep(5000);
  done = true;
  return nullptr;
}
void yield_until_done() {
  pthread_t thread;
  const double start = now();
  pthread_create(&thread, nullptr, take_five_milliseconds, nullptr);
  while (!done) sched_yield();
  std::printf("after %.3f\n", now() - start);
  pthread_join(thread, nullptr);
}

char spun_until_it_came() {
  pthread_t thread;
  pthread_create(&thread, nullptr, begin, nullptr);
  while (first == 0) continue;
  pthread_join(thread, nullptr);
  return first;
}

}  // namespace

int main(int, char** arguments) {
  const std::string way = arguments[1];
  if (way == "yields") return yield_until_done(), 0;
  if (way == "spins") return std::printf("%c\n", spun_until_it_came()), 0;
  for (int round = 0; round < kRounds; ++round) {
    first = 0;
    std::putchar(way == "begun"   ? beside_a_thread_that_begins()
                 : way == "woken" ? beside_a_thread_that_is_woken()
                                  : beside_a_child());
  }
  std::putchar('\n');
  return 0;
}
