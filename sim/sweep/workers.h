// Computes a sweep's blocks on the threads of this process, or in the processes of an MPI job.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

// Part `index` of `count` parts of the blocks, for machines that do not communicate.
struct Shard {
  std::int64_t index = 0, count = 1;
};

// The shard's blocks that `rows` does not have completely, in order.
std::vector<std::int64_t> blocks_to_do(const Grid& grid, Shard shard, const Rows& rows);

// Receives the rows of complete blocks, in any order, one call at a time.
using Keep = std::function<void(const Rows& rows)>;

// Runs the blocks on this number of threads. An exception of `keep` ends the work and is rethrown.
void run_on_threads(const Sweep& sweep, const std::vector<std::int64_t>& blocks, unsigned threads,
                    const Keep& keep);

// Runs each block in a child process, this number at a time. Ends early when `stop` is set.
// Exceptions of a block's run and of `keep` end the work. This process must have no other threads.
void run_in_children(const Sweep& sweep, const std::vector<std::int64_t>& blocks,
                     std::size_t at_once, const std::atomic<bool>& stop, const Keep& keep);

// The MPI job of this process: rank 0 of 1 if there is none, or if this build has no MPI. Create
// the object at the program's start and keep it until its end.
class MpiJob {
 public:
  MpiJob();
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // For rank 0 of several: gives the other ranks new blocks when they are free, runs blocks itself
  // in between, and stores all rows.
  void hand_out(const Sweep& sweep, const std::vector<std::int64_t>& blocks,
                const Keep& keep) const;
  // For the other ranks: runs the blocks from rank 0 until there are no more.
  void work(const Sweep& sweep) const;
  // The first rank with `here` set; size() if none has it. All ranks call it and get the same
  // answer.
  int first_where(bool here) const;
  // Ends all processes of the job with exit status 2. No effect with one process.
  void abort() const;

 private:
  int rank_ = 0, size_ = 1;
};

// The number of blocks that are assigned and stored together. It is small, so that no worker is
// idle for long at the end.
inline constexpr std::size_t kLargestChunk = 64;
std::size_t chunk_of(std::size_t blocks, unsigned workers);

}  // namespace sim::sweep
