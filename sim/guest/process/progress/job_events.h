// Progress lines from inside a guest (docs/event-log.md) become events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/files/file_descriptor.h"
#include "sim/events/event_log.h"

namespace sim::guest {

class JobEvents {
 public:
  static constexpr std::int64_t kMost = std::int64_t{256} << 20;
  // On which disk a path of the machine's is; empty: it cannot be said.
  using DiskOf = std::function<std::string(const std::string& path)>;

  // A trainer has reported this file of the machine's as a checkpoint.
  using Saved = std::function<void(const std::string& path, std::int64_t step)>;

  // `machine` is an instance ID or "operator".
  // The log takes `most` bytes of lines, so that a guest cannot fill a disk with it.
  JobEvents(base::FileDescriptor fifo, std::string machine, DiskOf disk_of = {}, Saved saved = {},
            std::int64_t most = kMost)
      : fifo_(std::move(fifo)),
        machine_(std::move(machine)),
        disk_of_(std::move(disk_of)),
        saved_(std::move(saved)),
        most_(most) {}

  int descriptor() const { return fifo_.get(); }  // readable when something has come
  // Appends the lines since the last call, except those beyond the bound; true if there were any. A
  // trainer's line with a `path`, or the `folder` of its checkpoints, gets the `disk` that it is
  // on. A line that cannot be read is logged as guest.bad-event.
  bool drain(Time now, EventLog& log);

 private:
  void append(Time now, EventLog& log, const std::string& line) const;
  bool is_full(Time now, EventLog& log, std::int64_t more);
  std::string disk_named_in(const Json& line) const;

  base::FileDescriptor fifo_;
  std::string machine_;
  DiskOf disk_of_;
  Saved saved_;
  std::int64_t most_, taken_ = 0;
  std::string rest_;  // the beginning of a line
};

}  // namespace sim::guest
