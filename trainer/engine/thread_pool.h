// Threads that share a loop. Waiting threads block and never spin, so they leave the processor to
// others, even at a fixed priority.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace spottrain {

// Owns the threads of an engine. One thread at a time may call run().
class ThreadPool {
 public:
  // The caller of run() is one of the threads; threads − 1 more are started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Calls body(i, thread) once for each i in [0, count), in any order and on any thread, and waits
  // for all. body must not throw. thread is in [0, threads()).
  void run(int count, const std::function<void(int, int)>& body);
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

 private:
  void work(int thread);
  void take_all(std::unique_lock<std::mutex>& lock, int thread);

  std::mutex mutex_;
  std::condition_variable work_is_there_, all_done_;
  const std::function<void(int, int)>* body_ = nullptr;
  int next_ = 0, count_ = 0, unfinished_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace spottrain
