// syslog(3) and journald in a guest: /dev/log, and the files that journalctl and people read.
#pragma once

#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"

namespace sim::guest::services {

class SystemLog {
 public:
  // Makes /dev/log and reads all messages from then on. Throws std::system_error.
  SystemLog();

  int descriptor() const { return socket_.get(); }  // readable when a program has written
  void drain();

  // A line of a service's, with the guest's time: in the system's log, and in the unit's own.
  void add(const std::string& unit, const std::string& who, std::string_view line);

  // The file with a unit's lines, for journalctl -u.
  static std::string file_of(const std::string& unit);

 private:
  base::FileDescriptor socket_;
};

}  // namespace sim::guest::services
