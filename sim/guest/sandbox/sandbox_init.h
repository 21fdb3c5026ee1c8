// The first process of a sandbox. It sets the sandbox up from inside, starts the first program, and
// then only reaps processes.
#pragma once

#include <string_view>

#include "sim/guest/sandbox/sandbox.h"

namespace sim::guest {

// The init's first message, sent when its namespaces and root folder exist. It then waits for a
// byte, and closes itself to all other processes. Not at kPlain.
inline constexpr std::string_view kInPlace = "in place";

// Called in the child. When the first program is just before its exec, sends kInPlace and the
// descriptors {notifications, job events, endpoint[, metadata]} over `control`. If the setup fails,
// it sends a message with the error's text. Then it serves until the other end of `control` closes,
// kills the remaining processes and exits.
[[noreturn]] void run_init(const SandboxSpec& spec, base::FileDescriptor control);

// The child processes of `pid`.
std::vector<pid_t> children_of(pid_t pid);

}  // namespace sim::guest
