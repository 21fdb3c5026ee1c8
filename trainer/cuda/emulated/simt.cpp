#include "trainer/cuda/emulated/simt.h"

#include <ucontext.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

namespace spottrain::cuda {
namespace {

constexpr std::size_t kStack = 64 * 1024;

// The threads of one block as coroutines. They run in turn from one barrier to the next.
class Block {
 public:
  explicit Block(const std::function<void()>& thread) : thread_(thread), threads_(kThreads) {}

  void run() {
    for (Thread& thread : threads_) start(thread);
    for (bool any = true; any;) {
      any = false;
      for (unsigned i = 0; i < kThreads; ++i) {
        if (threads_[i].done) continue;
        resume(i);
        any = any || !threads_[i].done;
      }
    }
  }
  void wait() { swapcontext(&threads_[threadIdx.x].context, &scheduler_); }
  std::uint64_t& slot(unsigned thread) { return threads_[thread].slot; }

  static inline thread_local Block* current = nullptr;

 private:
  struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[kStack]};
    bool done = false;
    std::uint64_t slot = 0;
  };

  void start(Thread& thread) {
    thread.done = false;
    getcontext(&thread.context);
    thread.context.uc_stack = {.ss_sp = thread.stack.get(), .ss_flags = 0, .ss_size = kStack};
    thread.context.uc_link = &scheduler_;
    makecontext(
        &thread.context, [] { current->enter(); }, 0);
  }
  void resume(unsigned i) {
    threadIdx = {i, 0};
    swapcontext(&scheduler_, &threads_[i].context);
  }
  void enter() {
    thread_();
    threads_[threadIdx.x].done = true;
  }

  const std::function<void()>& thread_;
  ucontext_t scheduler_{};
  std::vector<Thread> threads_;
};

template <typename Body>
void for_each_block(Grid grid, Body body) {
  gridDim = grid;
  blockDim = {kThreads, 1};
  for (unsigned y = 0; y < grid.y; ++y) {
    for (unsigned x = 0; x < grid.x; ++x) {
      blockIdx = {x, y};
      body();
    }
  }
}

}  // namespace

void __syncthreads() {
  if (Block::current == nullptr) {
    throw std::logic_error("a kernel with __syncthreads() was not launched as cooperating");
  }
  Block::current->wait();
}

namespace emulated {

void run_independent(Grid grid, const std::function<void()>& thread) {
  for_each_block(grid, [&] {
    for (unsigned i = 0; i < kThreads; ++i) {
      threadIdx = {i, 0};
      thread();
    }
  });
}

void run_cooperating(Grid grid, const std::function<void()>& thread) {
  Block block(thread);
  Block::current = &block;
  for_each_block(grid, [&] { block.run(); });
  Block::current = nullptr;
}

std::uint64_t exchange(std::uint64_t value, unsigned lane) {
  Block::current->slot(threadIdx.x) = value;
  __syncthreads();
  const std::uint64_t other = Block::current->slot(threadIdx.x / 32 * 32 + lane);
  __syncthreads();
  return other;
}

}  // namespace emulated
}  // namespace spottrain::cuda
