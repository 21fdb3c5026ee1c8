// The system log of a guest, for syslog(3) and journald: /dev/log, and the files that journalctl
// reads.
#pragma once

#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"

namespace sim::guest::services {

// Receives the messages of all programs and appends them to the log files.
class SystemLog {
 public:
  // Makes /dev/log and reads all messages from then on. Throws std::system_error.
  SystemLog();

  int descriptor() const { return socket_.get(); }  // readable when a program has written
  void drain();

  // Adds a line of a service, with the guest's time, to the system's log and to the unit's own log.
  void add(const std::string& unit, const std::string& who, std::string_view line);

  // The file with a unit's lines, for journalctl -u.
  static std::string file_of(const std::string& unit);

 private:
  base::FileDescriptor socket_;
};

}  // namespace sim::guest::services
