// What a program of a guest printed before it failed because a command was missing or git could not
// clone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace sim::guest {

// Returns the last message on the standard error of a task that is about to end with `status`, one
// of kReportedStatuses (reported_exits.h): "part-001: line 6: nosuch: command not found", or git's
// "fatal: …" of a clone. Empty if the task printed no such message, or printed it to /dev/null.
//
// If standard error is a pipe, `console` may have the beginning of the message. Without lockstep,
// the pipe's reader may have taken all of it, and may have written it to an output of its own or
// not yet at all. `longest_wait` is the real time to wait for the reader; empty: lockstep.
std::string command_error(pid_t tid, int status, const std::filesystem::path& console,
                          std::optional<std::chrono::milliseconds> longest_wait);

}  // namespace sim::guest
