// Calls that need the host: syncing files, mounting, and root's requests to its disks.
#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

#include "sim/guest/time/calls/control_calls.h"
#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {
namespace {

void answer_or_go_on(TrappedCall& call, const std::optional<int>& error) {
  if (!error) return call.go_on();
  *error == 0 ? call.answer(0) : call.fail(*error);
}

void make_durable(TrappedCall& call, int descriptor) {
  try {
    const auto takes = call.world.hooks->sync(call.guest.token, descriptor, call.number());
    if (!takes) return call.go_on();
    *takes > Duration{0} ? call.hold(call.wait_until(call.now() + *takes)) : call.answer(0);
  } catch (const std::system_error& error) {
    call.fail(error.code().value());
  }
}

// The path in a call, as the guest sees it: the first argument, or the second one after a folder's
// descriptor.
std::optional<std::filesystem::path> path_in_guest(const TrappedCall& call, bool after_folder) {
  const auto path = read_path(call.tid(), call.argument(after_folder ? 1 : 0));
  if (!path) return {};
  const std::string of_task = "/proc/" + std::to_string(call.tid());
  const bool in_cwd = !after_folder || call.integer(0) == AT_FDCWD;
  std::error_code none;  // the folder of an absolute path
  const auto folder = std::filesystem::read_symlink(
      of_task + (in_cwd ? "/cwd" : "/fd/" + std::to_string(call.integer(0))), none);
  return folder / *path;
}

}  // namespace

void sync_descriptor(TrappedCall& call) {
  const base::FileDescriptor process = open_process(call.process());
  const base::FileDescriptor file = duplicate(process.get(), call.integer(0));
  if (!file) return call.go_on();  // for its error
  make_durable(call, file.get());
}

void sync_all(TrappedCall& call) { make_durable(call, -1); }

void open_written_through(TrappedCall& call) {
  const auto path = path_in_guest(call, call.number() == SYS_openat);
  if (path) call.world.hooks->written_through(call.guest.token, *path);
  call.go_on();
}

void make_fifo(TrappedCall& call) {
  const auto path = path_in_guest(call, call.number() == SYS_mknodat);
  if (path) call.world.hooks->make_fifo(call.guest.token, *path);
  call.go_on();
}

void ioctl(TrappedCall& call) {
  const auto request = static_cast<std::uint32_t>(call.argument(1));
  const auto* known = std::ranges::find(kControlRequests, request, &ControlRequest::request);
  if (known == std::end(kControlRequests)) {  // TIOCSPTLCK
    call.guest.terminals.unlocked(call.process(), call.integer(0));
    return leave_lockstep(call);
  }
  const base::FileDescriptor process = open_process(call.process());
  const base::FileDescriptor file = duplicate(process.get(), call.integer(0));
  if (!file) return call.go_on();  // for its error
  alignas(std::uint64_t) std::array<char, kLargestControl> memory{};
  std::uint64_t argument = call.argument(2);
  if (known->bytes > 0) {
    if (!read_memory(call.tid(), argument, memory.data(), known->bytes)) return call.fail(EFAULT);
    argument = reinterpret_cast<std::uint64_t>(memory.data());
  }
  const auto error = call.world.hooks->control(call.guest.token, file.get(), request, argument);
  if (known->bytes > 0 && error == 0 &&
      !call.write_bytes(call.argument(2), memory.data(), known->bytes))
    return call.fail(EFAULT);
  answer_or_go_on(call, error);
}

void mount(TrappedCall& call) {
  const auto text = [&call](int argument) -> std::optional<std::string> {
    if (call.argument(argument) == 0) return "";
    return read_path(call.tid(), call.argument(argument));
  };
  const auto source = text(0), target = text(1), filesystem = text(2), options = text(4);
  if (!source || !target || !filesystem || !options) return call.fail(EFAULT);
  answer_or_go_on(call, call.world.hooks->mount({call.guest.token, call.tid(), *source, *target,
                                                 *filesystem, call.argument(3), *options}));
}

void umount2(TrappedCall& call) {
  const auto target = read_path(call.tid(), call.argument(0));
  if (!target) return call.fail(EFAULT);
  answer_or_go_on(call, call.world.hooks->unmount(call.guest.token, call.tid(), *target));
}

}  // namespace sim::guest::calls
