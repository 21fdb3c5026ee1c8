#include "sim/guest/process/console/container_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

constexpr std::size_t kDockersLine = 16384;  // Docker's; a longer one comes in parts

}  // namespace

ContainerOutput::ContainerOutput(base::FileDescriptor pipe, const std::filesystem::path& console,
                                 std::function<void(std::string_view line)> said)
    : pipe_(std::move(pipe)),
      console_(base::checked(open(console.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644),
                             "opening " + console.string())),
      said_(std::move(said)) {}

bool ContainerOutput::drain() {
  std::array<char, 65536> part;
  bool any = false;
  for (ssize_t n; (n = read(pipe_.get(), part.data(), part.size())) > 0;) {
    any = true;
    static_cast<void>(!write(console_.get(), part.data(), static_cast<std::size_t>(n)));
    rest_.append(part.data(), static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != rest_.npos; begin = end + 1)
      say(std::string_view(rest_).substr(begin, end - begin));
    rest_.erase(0, begin);
    // Splits long lines, so that the parts do not depend on how the output is read.
    for (; rest_.size() > kDockersLine; rest_.erase(0, kDockersLine))
      said_(std::string_view(rest_).substr(0, kDockersLine));
  }
  return any;
}

void ContainerOutput::say(std::string_view line) const {
  for (; line.size() > kDockersLine; line.remove_prefix(kDockersLine))
    said_(line.substr(0, kDockersLine));
  said_(line);
}

void ContainerOutput::end() {
  drain();
  if (!rest_.empty()) said_(std::exchange(rest_, {}));
}

}  // namespace sim::guest
