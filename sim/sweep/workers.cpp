#include "sim/sweep/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <span>
#include <thread>

namespace sim::sweep {

std::vector<std::int64_t> blocks_to_do(const Grid& grid, Shard shard,
                                       const std::vector<Row>& rows) {
  std::vector<std::size_t> found(static_cast<std::size_t>(grid.blocks()));
  const auto windows = static_cast<std::int64_t>(grid.windows.size());
  for (const Row& row : rows) ++found[static_cast<std::size_t>(row.setting * windows + row.window)];
  std::vector<std::int64_t> blocks;
  for (std::int64_t b = shard.index; b < grid.blocks(); b += shard.count)
    if (found[static_cast<std::size_t>(b)] < grid.policies.size()) blocks.push_back(b);
  return blocks;
}

void run_on_threads(const Grid& grid, const std::vector<std::int64_t>& blocks, unsigned threads,
                    const Keep& keep) {
  std::atomic<std::size_t> next{0};
  std::mutex keeping;
  std::exception_ptr failure;
  const auto work = [&] {
    for (;;) {
      const std::size_t first = next.fetch_add(kChunk);
      if (first >= blocks.size()) return;
      const std::size_t size = std::min(kChunk, blocks.size() - first);
      try {
        const std::vector<Row> rows = run_blocks(grid, std::span(blocks).subspan(first, size));
        const std::lock_guard lock(keeping);
        keep(rows);
      } catch (...) {
        const std::lock_guard lock(keeping);
        if (!failure) failure = std::current_exception();
        next = blocks.size();
      }
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sim::sweep
