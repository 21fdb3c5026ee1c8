// What a program of a guest printed before it failed because a command was missing or git could not
// clone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>

namespace sim::guest {

// Returns the last message on the standard error of a task that is about to end with `status`, one
// of kReportedStatuses (reported_exits.h): "part-001: line 6: nosuch: command not found", or git's
// "fatal: …" of a clone. If standard error is a pipe, its readers may have copied the message to
// their own outputs or to `console` already. Without lockstep a reader may be about to do so: the
// function waits for it in real time, `longest_wait` at most. Empty if the task printed no such
// message, or printed it to /dev/null.
std::string command_error(pid_t tid, int status, const std::filesystem::path& console,
                          std::chrono::milliseconds longest_wait);

}  // namespace sim::guest
