// Sets a file mode creation mask for a scope.
#pragma once

#include <sys/stat.h>

namespace base {

// Sets the process's mask until destruction. Files that a simulated machine sees must have the same
// modes whatever mask the caller has.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(umask(mask)) {}
  ~Umask() { umask(before_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

  // The mode that a new file of this mode would get under the former mask.
  mode_t callers(mode_t mode) const { return mode & ~before_; }

 private:
  const mode_t before_;
};

}  // namespace base
