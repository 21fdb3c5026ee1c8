// Converts progress lines from inside a guest (docs/event-log.md) into events of the log.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/files/file_descriptor.h"
#include "sim/events/event_log.h"

namespace sim::guest {

// Reads the FIFO to which one machine's trainer and orchestrator write their lines. ProcessHost
// polls descriptor() and calls drain().
class JobEvents {
 public:
  static constexpr std::int64_t kMost = std::int64_t{256} << 20;
  // Returns the disk of a path on the machine. Empty if it is unknown.
  using DiskOf = std::function<std::string(const std::string& path)>;

  // Called when a trainer has reported this file of the machine as a checkpoint.
  using Saved = std::function<void(const std::string& path, std::int64_t step)>;

  // `machine` is an instance ID or "operator". At most `most` bytes of lines are logged, so that a
  // guest cannot fill the disk.
  JobEvents(base::FileDescriptor fifo, std::string machine, DiskOf disk_of = {}, Saved saved = {},
            std::int64_t most = kMost)
      : fifo_(std::move(fifo)),
        machine_(std::move(machine)),
        disk_of_(std::move(disk_of)),
        saved_(std::move(saved)),
        most_(most) {}

  int descriptor() const { return fifo_.get(); }  // readable if lines have arrived
  // Appends the new lines to the log, except those beyond the limit. Returns true if there were
  // any. If a trainer's line has a `path`, or the `folder` of its checkpoints, it gets the `disk`
  // of that path. An invalid line is logged as guest.bad-event.
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
  std::string rest_;  // of a line without its end
};

}  // namespace sim::guest
