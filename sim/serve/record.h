// The record of a served cloud: its event log in a file, and the history for results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/files/file_descriptor.h"
#include "sim/events/event_log.h"
#include "sim/result/history_builder.h"

namespace sim::serve {

// Owns the file of the log and the history. ServedCloud answers the control API's questions about
// both from here.
class Record {
 public:
  // Listens to the log and writes a new `folder`/events.jsonl. For an empty folder it uses a
  // temporary file that ends with the process. Throws std::system_error.
  Record(EventLog& log, const std::filesystem::path& folder);

  // Returns the log's bytes from `offset`, in complete lines: at most `most` bytes, or one line
  // that is longer.
  std::string log_from(std::uint64_t offset, std::size_t most);
  std::uint64_t log_size() const { return written_ + buffer_.size(); }
  // Writes buffered lines. Throws std::system_error.
  void flush();
  const result::History& history() const { return builder_.history(); }
  // The fields of result.json if the run ended at `now`, with the outcome "running" and without
  // verdicts.
  Json result_so_far(Time now) const;

 private:
  base::FileDescriptor file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  result::HistoryBuilder builder_;
};

}  // namespace sim::serve
