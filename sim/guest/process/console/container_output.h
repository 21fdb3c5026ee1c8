// The standard output and error of a container, split into lines.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Reads a container's output from a pipe and passes on each line. ProcessHost polls descriptor()
// and calls drain().
class ContainerOutput {
 public:
  // Reads from `pipe`, and also appends the output to the file `console`. `said` gets each line.
  // Throws std::system_error.
  ContainerOutput(base::FileDescriptor pipe, const std::filesystem::path& console,
                  std::function<void(std::string_view line)> said);

  int descriptor() const { return pipe_.get(); }  // readable if output has arrived
  bool drain();                                   // false if there was none
  void end();                                     // passes on a last line without a line end

 private:
  void say(std::string_view line) const;

  base::FileDescriptor pipe_, console_;
  std::function<void(std::string_view line)> said_;
  std::string rest_;  // of a line without its end
};

}  // namespace sim::guest
