#include "sim/guest/disks/read_alarm.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include <utility>

#include "base/process/quiet_thread.h"
#include "base/process/system_call.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {

ReadAlarm::ReadAlarm(std::function<void()> read)
    : read_(std::move(read)),
      events_(false),
      end_(base::checked(eventfd(0, EFD_CLOEXEC), "making an eventfd")) {}

ReadAlarm::~ReadAlarm() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  static_cast<void>(!write(end_.get(), &one, sizeof one));
  thread_.join();
}

bool ReadAlarm::watch(MountedFileSystem mounted) {
  constexpr std::uint64_t kReads = FAN_ACCESS | FAN_OPEN_EXEC | FAN_ONDIR;
  if (!read_ || !events_.watch(open_root(mounted).get(), kReads)) return false;
  if (thread_.joinable()) return true;
  thread_ = base::quiet_thread([this] { work(); });
  precede_lockstep(thread_);
  return true;
}

void ReadAlarm::work() {
  for (;;) {
    pollfd from[] = {{events_.descriptor(), POLLIN, 0}, {end_.get(), POLLIN, 0}};
    if (poll(from, 2, -1) < 1) continue;
    if (from[1].revents != 0) return;
    if (events_.take([](const FileEvent&) {})) read_();
  }
}

}  // namespace sim::guest
