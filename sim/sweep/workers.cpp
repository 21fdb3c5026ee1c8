#include "sim/sweep/workers.h"

#include <algorithm>
#include <mutex>
#include <span>

#include "base/process/in_parallel.h"
#include "sim/events/event_log.h"
#include "sim/run/in_children.h"

namespace sim::sweep {

std::vector<std::int64_t> blocks_to_do(const Grid& grid, Shard shard, const Rows& rows) {
  std::vector<std::int64_t> found(static_cast<std::size_t>(grid.blocks()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    ++found[static_cast<std::size_t>(rows.run(i) / grid.runs_a_block)];
  std::vector<std::int64_t> blocks;
  for (std::int64_t b = shard.index; b < grid.blocks(); b += shard.count)
    if (found[static_cast<std::size_t>(b)] < grid.runs_a_block) blocks.push_back(b);
  return blocks;
}

std::size_t chunk_of(std::size_t blocks, unsigned workers) {
  constexpr std::size_t kTurns = 16;  // chunks per worker
  return std::clamp<std::size_t>(blocks / (workers * kTurns), 1, kLargestChunk);
}

void run_on_threads(const Sweep& sweep, const std::vector<std::int64_t>& blocks, unsigned threads,
                    const Keep& keep) {
  const std::size_t chunk = chunk_of(blocks.size(), threads);
  std::mutex keeping;
  const auto run_chunk = [&](std::size_t i) {
    const std::size_t first = i * chunk, size = std::min(chunk, blocks.size() - first);
    const Rows rows = sweep.run(std::span(blocks).subspan(first, size));
    const std::lock_guard lock(keeping);
    keep(rows);
  };
  base::in_parallel((blocks.size() + chunk - 1) / chunk, run_chunk, threads);
}

void run_in_children(const Sweep& sweep, const std::vector<std::int64_t>& blocks,
                     std::size_t at_once, const std::atomic<bool>& stop, const Keep& keep) {
  run::in_children({.pieces = blocks.size(),
                    .at_once = at_once,
                    .work =
                        [&](std::size_t i, std::size_t) {
                          const Rows rows = sweep.run(std::span(blocks).subspan(i, 1));
                          return Json{rows.cells(), rows.missing_actions}.dump();
                        },
                    .done =
                        [&](std::size_t, const std::string& answer) {
                          const Json parts = Json::parse(answer);
                          Rows rows(sweep.grid().measures.size());
                          parts[0].get_to(rows.cells());
                          parts[1].get_to(rows.missing_actions);
                          keep(rows);
                        },
                    .may_begin = [] { return true; },
                    .stopped = [&stop] { return stop.load(); }});
}

}  // namespace sim::sweep
