// Failed system calls as exceptions.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace base {

// Throws errno as a std::system_error that names the failed operation.
[[noreturn]] inline void throw_errno(const std::string& doing) {
  throw std::system_error(errno, std::generic_category(), doing);
}

// The result of a system call; throws when it is negative.
template <class Result>
Result checked(Result result, const std::string& doing) {
  if (result < 0) throw_errno(doing);
  return result;
}

}  // namespace base
