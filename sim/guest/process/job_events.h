// Progress lines from inside a guest (docs/event-log.md) become events.
#pragma once

#include <string>

#include "base/file_descriptor.h"
#include "sim/kernel/event_log.h"

namespace sim::guest {

class JobEvents {
 public:
  // `machine` is an instance ID or "operator".
  JobEvents(base::FileDescriptor fifo, std::string machine)
      : fifo_(std::move(fifo)), machine_(std::move(machine)) {}

  int descriptor() const { return fifo_.get(); }  // readable when something has come
  // Appends what has come since; true when there was any. A line that is none is logged as
  // guest.bad-event.
  bool drain(Time now, EventLog& log);

 private:
  void append(Time now, EventLog& log, const std::string& line) const;

  base::FileDescriptor fifo_;
  std::string machine_;
  std::string rest_;  // the beginning of a line
};

}  // namespace sim::guest
