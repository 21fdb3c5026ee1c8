// The ways to wait that the program `waits` knows, and their common functions. Each prints its
// result.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <ctime>

inline double now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
inline double since(double start) { return now() - start; }
inline void on_signal(int) {}
inline void handle(int signal) {  // without SA_RESTART
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

// ---- timer_waits.cpp: sleeps, timers, and reads of clocks
void tick();
void clocks();
void many_reads();
void timer_among_reads();
void interrupted_sleep();
void alarm_and_itimer();
void posix_timers();
void timer_thread();
void timer_file();
// ---- event_waits.cpp: locks, threads, signals and files
void futexes();
void timed_join();
void signal_wait();
void polls();
void ended_waits();
void masked_poll();
