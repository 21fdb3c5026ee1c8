// poll, select and epoll_wait. The supervisor writes the result from duplicates of the descriptors.
// If the kernel repeated the call, it could wait in real time, because another thread may have
// taken the data.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "sim/guest/time/calls/trapped_calls.h"
#include "sim/guest/time/trapped_call.h"

namespace sim::guest::calls {
namespace {

// The kernel bounds these by RLIMIT_NOFILE; no guest is given more than this.
constexpr std::uint64_t kMostDescriptors = 65536;

// Duplicates of a guest's descriptors that a held poll or select waits for.
class ReadyDescriptors {
 public:
  // Adds the guest's descriptor; false when it cannot be watched: not open, or not permitted.
  bool add(int pidfd, int descriptor, short events) {
    base::FileDescriptor own = duplicate(pidfd, descriptor);
    if (!own) return false;
    polled_.push_back({own.get(), events, 0});
    duplicates_.push_back(std::move(own));
    return true;
  }
  // Polls them without waiting; the number that has something.
  int look() { return polled_.empty() ? 0 : ::poll(polled_.data(), polled_.size(), 0); }
  // The events of the i-th added descriptor in the last look.
  short events(std::size_t i) const { return polled_[i].revents; }

 private:
  std::vector<base::FileDescriptor> duplicates_;
  std::vector<pollfd> polled_;
};

// For calls that set a signal mask while they wait. The held call has not set it. So a signal that
// is pending under the old mask and deliverable under the new one must end the call; the kernel
// then continues it. `mask_at` 0: no mask.
void end_on_signal(const TrappedCall& call, HeldCall& held, std::uint64_t mask_at) {
  if (mask_at == 0) return;
  const auto mask = call.read<std::uint64_t>(mask_at);
  if (!mask) return;
  held.ready_when_quiet = [call, mask = *mask] {
    if (deliverable_signals(call.tid(), mask) == 0) return false;
    call.go_on();
    return true;
  };
}

// --- poll, ppoll

struct Poll {
  std::uint64_t at = 0;
  std::vector<pollfd> entries;
  ReadyDescriptors watched;  // of the entries that are not negative, in their order

  bool write(const TrappedCall& call) {
    std::size_t next = 0;
    for (pollfd& entry : entries) entry.revents = entry.fd < 0 ? 0 : watched.events(next++);
    return call.write_bytes(at, entries.data(), entries.size() * sizeof(pollfd));
  }
};

void poll_for(TrappedCall& call, Duration timeout, std::uint64_t mask_at) {
  if (timeout == Duration{0}) return call.go_on();
  const std::uint64_t count = call.argument(1);
  if (count > kMostDescriptors) return call.fail(EINVAL);
  const auto state = std::make_shared<Poll>();
  state->at = call.argument(0);
  state->entries.resize(count);
  if (!read_memory(call.tid(), state->at, state->entries.data(), count * sizeof(pollfd)))
    return call.fail(EFAULT);
  const base::FileDescriptor process = open_process(call.process());
  for (const pollfd& entry : state->entries)
    // The kernel reports a descriptor that is not open at once, without waiting.
    if (entry.fd >= 0 && !state->watched.add(process.get(), entry.fd, entry.events))
      return call.go_on();

  HeldCall held = call.wait_until(call.after(timeout));
  held.ready = [call, state] {
    const int ready = state->watched.look();
    if (ready <= 0) return false;
    state->write(call) ? call.answer(ready) : call.fail(EFAULT);
    return true;
  };
  held.expire = [call, state] {
    state->watched.look();
    call.answer_written(state->write(call));
  };
  end_on_signal(call, held, mask_at);
  call.hold(std::move(held));
}

// --- select, pselect6

// The masks by which the kernel sorts poll's events into the three sets.
constexpr std::array<short, 3> kAsk{POLLIN | POLLRDNORM | POLLRDBAND,
                                    POLLOUT | POLLWRNORM | POLLWRBAND, POLLPRI};
constexpr std::array<short, 3> kCounts{POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR,
                                       POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR, POLLPRI};

struct Select {
  struct Member {
    int descriptor;
    std::size_t set;
  };
  std::array<std::uint64_t, 3> at{};  // 0: not given
  std::size_t words = 0;              // of a set, 64 bits each
  std::vector<Member> members;
  ReadyDescriptors watched;  // in the order of members
  std::uint64_t timeout_at = 0;
  bool microseconds = false;
  Duration until{};  // a reading of CLOCK_MONOTONIC

  // Writes the sets and the remaining timeout. Returns the number of bits set, or empty for EFAULT.
  std::optional<int> write(const TrappedCall& call) {
    std::array<std::vector<std::uint64_t>, 3> sets;
    sets.fill(std::vector<std::uint64_t>(words));
    int bits = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto [descriptor, set] = members[i];
      if ((watched.events(i) & kCounts[set]) == 0) continue;
      sets[set][descriptor / 64] |= std::uint64_t{1} << (descriptor % 64);
      ++bits;
    }
    for (std::size_t set = 0; set < 3; ++set)
      if (at[set] != 0 && !call.write_bytes(at[set], sets[set].data(), words * 8)) return {};
    const Duration left =
        std::max(until - call.guest.clock.read(CLOCK_MONOTONIC, call.now()), Duration{0});
    // Linux writes the remaining time; a program may keep its timeout in read-only memory.
    microseconds ? call.write(timeout_at, to_timeval(left))
                 : call.write(timeout_at, to_timespec(left));
    return bits;
  }
  bool any() {
    if (watched.look() <= 0) return false;
    for (std::size_t i = 0; i < members.size(); ++i)
      if ((watched.events(i) & kCounts[members[i].set]) != 0) return true;
    return false;
  }
  void finish(const TrappedCall& call) {
    const auto bits = write(call);
    bits ? call.answer(*bits) : call.fail(EFAULT);
  }
};

// Reads the sets and duplicates the descriptors. Returns an errno, 0, or -1 when the kernel must
// answer.
int read_sets(const TrappedCall& call, Select& state, std::uint64_t descriptors) {
  const base::FileDescriptor process = open_process(call.process());
  for (std::size_t set = 0; set < 3; ++set) {
    state.at[set] = call.argument(static_cast<int>(set) + 1);
    if (state.at[set] == 0) continue;
    std::vector<std::uint64_t> bits(state.words);
    if (!read_memory(call.tid(), state.at[set], bits.data(), state.words * 8)) return EFAULT;
    for (std::uint64_t fd = 0; fd < descriptors; ++fd) {
      if ((bits[fd / 64] >> (fd % 64) & 1) == 0) continue;
      state.members.push_back({static_cast<int>(fd), set});
      if (!state.watched.add(process.get(), static_cast<int>(fd), kAsk[set])) return -1;
    }
  }
  return 0;
}

void select_for(TrappedCall& call, std::optional<Duration> timeout, bool microseconds,
                std::uint64_t mask_at) {
  if (!timeout) return call.fail(EINVAL);
  if (*timeout == Duration{0} || call.integer(0) < 0) return call.go_on();
  const std::uint64_t descriptors = std::min<std::uint64_t>(call.argument(0), kMostDescriptors);
  const auto state = std::make_shared<Select>();
  state->words = (descriptors + 63) / 64;
  state->timeout_at = call.argument(4);
  state->microseconds = microseconds;
  const Time deadline = call.after(*timeout);
  state->until = call.guest.clock.read(CLOCK_MONOTONIC, deadline);
  const int error = read_sets(call, *state, descriptors);
  if (error < 0) return call.go_on();
  if (error > 0) return call.fail(error);

  HeldCall held = call.wait_until(deadline);
  held.ready = [call, state] {
    if (!state->any()) return false;
    state->finish(call);
    return true;
  };
  held.expire = [call, state] {
    state->watched.look();
    state->finish(call);
  };
  end_on_signal(call, held, mask_at);
  call.hold(std::move(held));
}

// --- epoll_wait: the events are taken from the guest's own epoll instance through a duplicate,
// exactly as the guest would take them (edge-triggered and one-shot ones included)

constexpr int kMostEvents = 1024;  // at a time; the next call gets the rest

// `other` is any file that the instance does not watch. Unwatching it gives ENOENT, else EINVAL.
bool is_epoll(int descriptor, int other) {
  return epoll_ctl(descriptor, EPOLL_CTL_DEL, other, nullptr) != 0 && errno == ENOENT;
}

void epoll_wait_for(TrappedCall& call, Duration timeout) {
  const int most = std::min(call.integer(2), kMostEvents);
  if (timeout == Duration{0} || most <= 0) return call.go_on();
  const base::FileDescriptor process = open_process(call.process());
  const auto epoll =
      std::make_shared<base::FileDescriptor>(duplicate(process.get(), call.integer(0)));
  if (!*epoll || !is_epoll(epoll->get(), call.guest.listener.descriptor())) return call.go_on();

  HeldCall held = call.wait_until(call.after(timeout));
  held.ready = [call, epoll, most] {
    pollfd any{epoll->get(), POLLIN, 0};
    // A call that is over must not take events, because the next call would miss them.
    if (::poll(&any, 1, 0) <= 0 || !call.waits()) return false;
    std::vector<epoll_event> events(static_cast<std::size_t>(most));
    const int n = ::epoll_wait(epoll->get(), events.data(), most, 0);
    if (n <= 0) return false;
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(epoll_event);
    call.write_bytes(call.argument(1), events.data(), bytes) ? call.answer(n) : call.fail(EFAULT);
    return true;
  };
  end_on_signal(call, held, call.number() == SYS_epoll_wait ? 0 : call.argument(4));
  call.hold(std::move(held));
}

}  // namespace

void poll(TrappedCall& call) { poll_for(call, std::chrono::milliseconds{call.integer(2)}, 0); }

void ppoll(TrappedCall& call) {
  const auto timeout = call.read<timespec>(call.argument(2));
  if (!timeout) return call.fail(EFAULT);
  const auto length = to_duration(*timeout);
  if (!length) return call.fail(EINVAL);
  poll_for(call, *length, call.argument(3));
}

void select(TrappedCall& call) {
  const auto timeout = call.read<timeval>(call.argument(4));
  if (!timeout) return call.fail(EFAULT);
  select_for(call, to_duration(*timeout), true, 0);
}

void pselect6(TrappedCall& call) {
  const auto timeout = call.read<timespec>(call.argument(4));
  if (!timeout) return call.fail(EFAULT);
  std::uint64_t mask_at = 0;
  if (call.argument(5) != 0) {
    const auto pointer = call.read<std::uint64_t>(call.argument(5));  // first of {mask, size}
    if (!pointer) return call.fail(EFAULT);
    mask_at = *pointer;
  }
  select_for(call, to_duration(*timeout), false, mask_at);
}

void epoll_wait(TrappedCall& call) {
  epoll_wait_for(call, std::chrono::milliseconds{call.integer(3)});
}

void epoll_pwait(TrappedCall& call) { epoll_wait(call); }

void epoll_pwait2(TrappedCall& call) {
  const auto timeout = call.read<timespec>(call.argument(3));
  if (!timeout) return call.fail(EFAULT);
  const auto length = to_duration(*timeout);
  length ? epoll_wait_for(call, *length) : call.fail(EINVAL);
}

}  // namespace sim::guest::calls
