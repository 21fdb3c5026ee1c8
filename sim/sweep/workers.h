// Who computes a sweep's blocks: the threads of this process, or the processes of an MPI job.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/sweep/grid.h"

namespace sim::sweep {

// Part `index` of `count` parts of the blocks, for machines that know nothing of each other.
struct Shard {
  std::int64_t index = 0, count = 1;
};

// The shard's blocks that are not among `rows` with all their runs, in order.
std::vector<std::int64_t> blocks_to_do(const Grid& grid, Shard shard, const Rows& rows);

// Called with the rows of whole blocks, in any order, one call at a time.
using Keep = std::function<void(const Rows& rows)>;

// Runs the blocks on so many threads. What `keep` throws ends it and is thrown on.
void run_on_threads(const Sweep& sweep, const std::vector<std::int64_t>& blocks, unsigned threads,
                    const Keep& keep);

// The MPI job that this process is one of: rank 0 of 1 when there is none, or when built without.
// An object of this lives from the program's start to its end.
class MpiJob {
 public:
  MpiJob();
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Rank 0 of several: hands the blocks out to the others as they become free, runs some itself in
  // between, and keeps all rows.
  void hand_out(const Sweep& sweep, const std::vector<std::int64_t>& blocks,
                const Keep& keep) const;
  // The other ranks: runs what rank 0 hands out until there is no more.
  void work(const Sweep& sweep) const;
  // The first rank that says so; size() where none does. All ranks ask, and get the same answer.
  int first_where(bool here) const;
  // Ends all processes of the job with exit status 2; nothing when there is one only.
  void abort() const;

 private:
  int rank_ = 0, size_ = 1;
};

// How many blocks are handed out and kept together: few enough that no worker is idle for long
// while the others end.
inline constexpr std::size_t kLargestChunk = 64;
std::size_t chunk_of(std::size_t blocks, unsigned workers);

}  // namespace sim::sweep
