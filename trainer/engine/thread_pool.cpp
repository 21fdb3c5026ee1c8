#include "trainer/engine/thread_pool.h"

namespace spottrain {

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_is_there_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int count, const std::function<void(int, int)>& body) {
  if (workers_.empty() || count == 1) {
    for (int i = 0; i < count; ++i) body(i, 0);
    return;
  }
  std::unique_lock lock(mutex_);
  body_ = &body;
  next_ = 0;
  count_ = unfinished_ = count;
  work_is_there_.notify_all();
  take_all(lock, 0);
  all_done_.wait(lock, [this] { return unfinished_ == 0; });
}

void ThreadPool::work(int thread) {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_is_there_.wait(lock, [this] { return stop_ || next_ < count_; });
    if (stop_) return;
    take_all(lock, thread);
  }
}

void ThreadPool::take_all(std::unique_lock<std::mutex>& lock, int thread) {
  while (next_ < count_) {
    const int mine = next_++;
    lock.unlock();
    (*body_)(mine, thread);
    lock.lock();
    if (--unfinished_ == 0) all_done_.notify_one();
  }
}

}  // namespace spottrain
