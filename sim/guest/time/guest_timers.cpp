#include "sim/guest/time/guest_timers.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

#include "sim/guest/time/guest_clock.h"
#include "sim/guest/time/guest_task.h"

namespace sim::guest {
namespace {

bool ended(const base::FileDescriptor& pidfd) {
  pollfd p{pidfd.get(), POLLIN, 0};
  return poll(&p, 1, 0) != 0;
}

bool same_file(int a, int b) { return syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, a, b) == 0; }

std::string link_of(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t n = readlink(path.c_str(), target, sizeof target);
  return n > 0 ? std::string(target, static_cast<std::size_t>(n)) : std::string();
}

bool is_timerfd(const std::string& path) { return link_of(path) == "anon_inode:[timerfd]"; }

siginfo_t timer_siginfo(const PosixTimer& timer, int id) {
  siginfo_t info{};
  info.si_signo = timer.signal;
  info.si_code = SI_TIMER;
  info.si_timerid = id;
  info.si_value.sival_int = id;
  if (timer.value) info.si_value = *timer.value;
  return info;
}

}  // namespace

void VirtualTimer::arm(const Expiry& expiry, std::function<void()> expired) {
  disarm();
  interval_ = expiry.interval;
  while_asleep_ = expiry.while_asleep;
  expired_ = std::move(expired);
  schedule(std::max(expiry.first, simulation_->now()));
}

void VirtualTimer::fall_asleep() {
  if (while_asleep_ == WhileAsleep::kGoesOn || !event_) return;
  simulation_->cancel(*std::exchange(event_, {}));
  sleeps_ = true;
}

void VirtualTimer::wake_up(Duration slept) {
  if (std::exchange(sleeps_, false)) schedule(due_ + slept);
}

void VirtualTimer::schedule(Time at) {
  due_ = at;
  if (at - simulation_->now() >= kForever / 2) return;
  event_ = simulation_->at(at, [this] {
    event_.reset();
    const std::function<void()> expired = expired_;
    if (interval_ > Duration{0})
      schedule(due_ + interval_);
    else
      expired_ = nullptr;
    expired();  // last: may destroy this timer
  });
}

void VirtualTimer::disarm() {
  if (event_) simulation_->cancel(*event_);
  event_.reset();
  sleeps_ = false;
  expired_ = nullptr;
}

VirtualTimer::Setting VirtualTimer::setting() const {
  if (!expired_) return {Duration{0}, interval_};
  // An armed timer never shows zero, which would mean "not armed".
  return {std::max(due_ - simulation_->now(), Duration{1}), interval_};
}

std::optional<clockid_t> timerfd_clock(int descriptor) {
  if (!is_timerfd("/proc/self/fd/" + std::to_string(descriptor))) return {};
  const std::string path = "/proc/self/fdinfo/" + std::to_string(descriptor);
  const base::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[1024];
  const ssize_t n = file ? read(file.get(), text, sizeof text) : 0;
  const std::string info(text, n > 0 ? static_cast<std::size_t>(n) : 0);
  const auto at = info.find("clockid:");
  if (at == std::string::npos) return {};
  return std::atoi(info.c_str() + at + 8);
}

GuestTimers::Process* GuestTimers::process(pid_t pid) {
  const auto at = processes_.find(pid);
  if (at != processes_.end()) {
    if (!ended(at->second.pidfd)) return &at->second;
    processes_.erase(at);  // the pid is another process's now
  }
  base::FileDescriptor pidfd = open_process(pid);
  if (!pidfd) return nullptr;
  Process& made = processes_.try_emplace(pid, simulation_).first->second;
  made.pidfd = std::move(pidfd);
  return &made;
}

std::optional<int> GuestTimers::create(pid_t pid, const PosixTimer& timer) {
  Process* owner = process(pid);
  if (owner == nullptr) return {};
  const int id = owner->next_id++;
  owner->posix.try_emplace(id, timer, simulation_);
  return id;
}

std::optional<GuestTimers::Found> GuestTimers::find(pid_t pid, int id) {
  const auto owner = processes_.find(pid);
  if (owner == processes_.end() || ended(owner->second.pidfd)) return {};
  const auto at = owner->second.posix.find(id);
  if (at == owner->second.posix.end()) return {};
  return Found{at->second.kind.clock, at->second.timer};
}

void GuestTimers::arm(pid_t pid, int id, const VirtualTimer::Expiry& expiry) {
  VirtualTimer& timer = processes_.at(pid).posix.at(id).timer;
  timer.arm(expiry, [this, pid, id] { expired(pid, id); });
}

template <class Act>
void GuestTimers::each_timer(Act act) {
  for (auto& [pid, owner] : processes_) {
    act(owner.real);
    for (auto& [id, owned] : owner.posix) act(owned.timer);
  }
  for (File& file : files_) act(file.timer);
}

void GuestTimers::fall_asleep() {
  each_timer([](VirtualTimer& timer) { timer.fall_asleep(); });
}
void GuestTimers::wake_up(Duration slept) {
  each_timer([slept](VirtualTimer& timer) { timer.wake_up(slept); });
}

bool GuestTimers::remove(pid_t pid, int id) {
  const auto owner = processes_.find(pid);
  return owner != processes_.end() && owner->second.posix.erase(id) > 0;
}

void GuestTimers::new_image(pid_t pid) {
  const auto owner = processes_.find(pid);
  if (owner != processes_.end()) owner->second.posix.clear();
}

void GuestTimers::expired(pid_t pid, int id) {
  const Process& owner = processes_.at(pid);
  const PosixTimer& timer = owner.posix.at(id).kind;
  siginfo_t info = timer_siginfo(timer, id);
  before_signals_();
  // Failures: the process has ended (drop_dead forgets its timers) or its signal queue is full, and
  // then the kernel would have counted an overrun.
  if (timer.notify == PosixTimer::Notify::kProcess)
    syscall(SYS_pidfd_send_signal, owner.pidfd.get(), timer.signal, &info, 0);
  if (timer.notify == PosixTimer::Notify::kTask)
    syscall(SYS_rt_tgsigqueueinfo, pid, timer.task, timer.signal, &info);
}

VirtualTimer* GuestTimers::real_timer(pid_t pid) {
  Process* owner = process(pid);
  return owner == nullptr ? nullptr : &owner->real;
}

void GuestTimers::arm_real_timer(pid_t pid, const VirtualTimer::Expiry& expiry) {
  real_timer(pid)->arm(expiry, [this, pid] {
    before_signals_();
    syscall(SYS_pidfd_send_signal, processes_.at(pid).pidfd.get(), SIGALRM, nullptr, 0);
  });
}

VirtualTimer::Setting GuestTimers::file_setting(int duplicate) const {
  for (const File& file : files_)
    if (same_file(file.duplicate.get(), duplicate)) return file.timer.setting();
  return {};
}

void GuestTimers::arm_file(pid_t pid, int descriptor, base::FileDescriptor duplicate,
                           const VirtualTimer::Expiry& expiry) {
  disarm_file(duplicate.get());
  const auto file =
      files_.emplace(files_.end(), std::move(duplicate), pid, descriptor, simulation_);
  file->timer.arm(expiry, [this, file] { file_expired(file); });
}

void GuestTimers::disarm_file(int duplicate) {
  const itimerspec nothing{};  // also forgets an expiry that was not read
  timerfd_settime(duplicate, 0, &nothing, nullptr);
  files_.remove_if([&](const File& file) { return same_file(file.duplicate.get(), duplicate); });
}

void GuestTimers::file_expired(std::list<File>::iterator file) {
  // We have the file open, so only the guest's own table shows whether the guest can still read it.
  const std::string path =
      "/proc/" + std::to_string(file->process) + "/fd/" + std::to_string(file->descriptor);
  const bool open_there = is_timerfd(path);
  if (open_there) {
    before_signals_();
    const itimerspec at_once{{0, 0}, {0, 1}};
    timerfd_settime(file->duplicate.get(), 0, &at_once, nullptr);
    pollfd p{file->duplicate.get(), POLLIN, 0};
    poll(&p, 1, 100);  // real time: the interrupt that makes it readable comes within microseconds
  }
  const bool once = file->timer.setting().remaining == Duration{0};
  if (once || !open_there) files_.erase(file);
}

bool GuestTimers::drop_dead() {
  bool any = false;
  for (auto at = processes_.begin(); at != processes_.end();) {
    const bool dead = ended(at->second.pidfd);
    any = any || dead;
    at = dead ? processes_.erase(at) : std::next(at);
  }
  return any;
}

void GuestTimers::clear() {
  processes_.clear();
  files_.clear();
}

}  // namespace sim::guest
