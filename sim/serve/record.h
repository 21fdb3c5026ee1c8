// What happened so far: the event log in a file, and what a result is made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/file_descriptor.h"
#include "sim/events/event_log.h"
#include "sim/result/history_builder.h"

namespace sim::serve {

class Record {
 public:
  // Listens to the log, and writes `folder`/events.jsonl, anew; for an empty folder a file in the
  // system's folder of temporary files, which goes with the process. Throws std::system_error.
  Record(EventLog& log, const std::filesystem::path& folder);

  // Bytes of the log from `offset` on, whole lines: at most `most`, or one line that is longer.
  std::string log_from(std::uint64_t offset, std::size_t most);
  std::uint64_t log_size() const { return written_ + buffer_.size(); }
  // Writes what it holds back. Throws std::system_error.
  void flush();
  const run::History& history() const { return builder_.history(); }
  // result.json's fields if it ended at `now`: outcome "running", and no verdicts.
  Json result_so_far(Time now) const;

 private:
  base::FileDescriptor file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  run::HistoryBuilder builder_;
};

}  // namespace sim::serve
