// What a container writes to its standard output and error, line by line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"

namespace sim::guest {

class ContainerOutput {
 public:
  // Reads a pipe; what comes is appended to the file of the console, too. Throws std::system_error.
  ContainerOutput(base::FileDescriptor pipe, const std::filesystem::path& console,
                  std::function<void(std::string_view line)> said);

  int descriptor() const { return pipe_.get(); }  // readable when there is something
  bool drain();                                   // false when there was nothing
  void end();                                     // and what has no end of line is a line, too

 private:
  void say(std::string_view line) const;

  base::FileDescriptor pipe_, console_;
  std::function<void(std::string_view line)> said_;
  std::string rest_;  // the beginning of a line
};

}  // namespace sim::guest
