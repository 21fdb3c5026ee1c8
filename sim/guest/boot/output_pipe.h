// The pipe that user data writes to. On EC2, cloud-init has `output: {all: '| tee -a …'}`. So a
// program that reopens /dev/stdout or /dev/stderr (`> /dev/stderr`, `tee /dev/stderr`) opens a pipe
// and does not empty the log.
#pragma once

#include "base/files/file_descriptor.h"

namespace sim::guest::boot {

class OutputPipe {
 public:
  // Redirects this process's standard output and error to the pipe. When the pipe is destroyed, a
  // child process keeps copying its output to the original descriptors. Throws std::system_error.
  OutputPipe();

  // Returns when all that was written is copied.
  void flush() const;

 private:
  base::FileDescriptor out_, from_, turn_;  // turn_: the process that copies has locked it
};

}  // namespace sim::guest::boot
