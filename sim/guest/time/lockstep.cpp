#include "sim/guest/time/lockstep.h"

#include <linux/capability.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/files/whole_file.h"
#include "base/process/quiet_thread.h"
#include "base/process/system_call.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/guest/time/ran_tasks.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

// SCHED_FIFO's priorities, from the last to the first.
constexpr int kLast = 1, kGuests = 2, kInits = 3, kOurs = 4;

// The minimum time that Share covers, and half of the maximum, which is less than a period of RT
// throttling without the part of the ordinary class (950 ms).
constexpr std::chrono::microseconds kLookBack{450'000};
// Twice the part of the ordinary class.
constexpr std::chrono::microseconds kLargeShare{100'000};

int go_into_the_queue(int priority) {
  const sched_param fifo{priority};
  return sched_setscheduler(0, SCHED_FIFO, &fifo);
}

void give_priority(std::thread& thread, int priority) {
  const sched_param fifo{priority};
  if (const int error = pthread_setschedparam(thread.native_handle(), SCHED_FIFO, &fifo))
    throw std::system_error(error, std::generic_category(), "joining the lockstep");
}

// A name that only one process of the machine (of the network namespace, to be exact) can have, and
// that is freed when the process ends. Empty if another process has it.
base::FileDescriptor claim(int cpu) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = "spotsim/lockstep/" + std::to_string(cpu);
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // after a 0: no file
  const std::size_t size = offsetof(sockaddr_un, sun_path) + 1 + name.size();
  base::FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto* at = reinterpret_cast<const sockaddr*>(&address);
  if (!socket || bind(socket.get(), at, static_cast<socklen_t>(size)) != 0) return {};
  return socket;
}

struct Claimed {
  int cpu;
  base::FileDescriptor claim;  // empty: other runs also have it
};

// Claims the CPU we run on if no other run has it, else the first CPU that no run has.
Claimed claim_one(const cpu_set_t& permitted) {
  const int here = sched_getcpu();
  if (base::FileDescriptor own = claim(here)) return {here, std::move(own)};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (cpu != here && CPU_ISSET(cpu, &permitted))
      if (base::FileDescriptor own = claim(cpu)) return {cpu, std::move(own)};
  return {here, {}};
}

// Of the calling thread (capabilities(7)).
Capability nice_capability() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0 ||
      (sets.at(CAP_TO_INDEX(CAP_SYS_NICE)).effective & CAP_TO_MASK(CAP_SYS_NICE)) == 0)
    return Capability::kNone;
  // user_namespaces(7): the initial namespace maps every user to itself.
  std::istringstream map(base::read_file("/proc/self/uid_map").value_or(""));
  std::uint64_t inside = 1, outside = 1, users = 0;
  map >> inside >> outside >> users;
  const bool is_initial =
      inside == 0 && outside == 0 && users == std::numeric_limits<std::uint32_t>::max();
  return is_initial ? Capability::kHeld : Capability::kOfUserNamespace;
}

}  // namespace

std::string lockstep_obstacle(int error, Capability capability) {
  if (error != EPERM)
    return "the kernel refuses SCHED_FIFO: " + std::generic_category().message(error);
  switch (capability) {
    case Capability::kNone:
      return "this process lacks CAP_SYS_NICE for SCHED_FIFO";
    case Capability::kOfUserNamespace:
      return "a user namespace permits no SCHED_FIFO";
    case Capability::kHeld:
      break;
  }
  return "this process's cgroup permits no SCHED_FIFO; set its cpu.rt_runtime_us, for a container "
         "by --cpu-rt-runtime 950000";
}

std::string lockstep_obstacle() {
  const int before = sched_getscheduler(0);
  sched_param parameters{};
  if (before < 0 || sched_getparam(0, &parameters) != 0 || go_into_the_queue(kInits) != 0) {
    const int error = errno;
    return lockstep_obstacle(error, nice_capability());
  }
  base::checked(sched_setscheduler(0, before, &parameters), "leaving SCHED_FIFO");
  return {};
}

bool join_lockstep() {
  // Some programs use addresses as randomness: bash seeds $RANDOM with one.
  if (personality(ADDR_NO_RANDOMIZE) < 0) return false;
  return go_into_the_queue(kGuests) == 0;
}

int precede_lockstep() { return go_into_the_queue(kInits); }

bool leave_lockstep(pid_t tid) {
  sched_param parameters{};
  if (sched_getscheduler(tid) != SCHED_FIFO || sched_getparam(tid, &parameters) != 0 ||
      parameters.sched_priority != kGuests)
    return false;
  const sched_param ordinary{};
  return sched_setscheduler(tid, SCHED_OTHER, &ordinary) == 0;
}

void return_to_lockstep(pid_t tid) {
  const sched_param fifo{kGuests};
  sched_setscheduler(tid, SCHED_FIFO, &fifo);
}

void precede_lockstep(std::thread& thread) { give_priority(thread, kOurs); }

// The last thread in the queue. It answers a question when no guest can run.
class LockstepCpu::Last {
 public:
  Last() : thread_(base::quiet_thread([this] { answer_questions(); })) {
    try {
      give_priority(thread_, kLast);
    } catch (...) {
      end();
      throw;
    }
  }
  ~Last() { end(); }
  Last(const Last&) = delete;
  Last& operator=(const Last&) = delete;

  bool ask(std::chrono::microseconds longest) {
    const std::uint64_t question = asked_.fetch_add(1) + 1;
    sem_post(&questions_.semaphore);
    const timespec until = to_timespec(real_time() + longest);
    while (answered_.load() < question)  // answers to earlier questions may have come late
      if (sem_clockwait(&answers_.semaphore, CLOCK_MONOTONIC, &until) != 0 && errno == ETIMEDOUT)
        return answered_.load() >= question;
    return true;
  }

 private:
  struct Semaphore {
    Semaphore() { sem_init(&semaphore, 0, 0); }
    ~Semaphore() { sem_destroy(&semaphore); }
    sem_t semaphore;
  };

  void answer_questions() {
    while (sem_wait(&questions_.semaphore) != 0 || !ends_.load()) {
      answered_.store(asked_.load());
      sem_post(&answers_.semaphore);
    }
  }
  void end() {
    const sched_param ordinary{};  // a guest may compute without end
    pthread_setschedparam(thread_.native_handle(), SCHED_OTHER, &ordinary);
    ends_ = true;
    sem_post(&questions_.semaphore);
    thread_.join();
  }

  Semaphore questions_, answers_;
  std::atomic<std::uint64_t> asked_{0}, answered_{0};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

LockstepCpu::LockstepCpu(RanTasks* records) : records_(records) {
  base::checked(sched_getaffinity(0, sizeof before_, &before_), "asking for the supervisor's CPUs");
  auto [cpu, own] = claim_one(before_);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  base::checked(sched_setaffinity(0, sizeof one, &one), "pinning the supervisor to a CPU");
  claim_ = std::move(own);
  if (records != nullptr) records->record(cpu);
  last_ = std::make_unique<Last>();
}

LockstepCpu::~LockstepCpu() { sched_setaffinity(0, sizeof before_, &before_); }

LockstepCpu::Rest LockstepCpu::rest(std::chrono::microseconds longest) {
  constexpr std::uint64_t kOneTask = RanTasks::kTwoSwitches;  // to it and back
  const auto back = recorded();
  if (share_.is_large()) {
    const auto before = std::exchange(recorded_, back);
    return before && back && *back - *before == kOneTask ? Rest::kOneTaskRan : Rest::kReached;
  }
  if (!last_->ask(longest)) return Rest::kNone;
  const auto before = std::exchange(recorded_, recorded());
  const bool known = before && back && recorded_;
  // To a task and back; then to the last of the queue, with none between, and back.
  const bool one_ran = known && *back - *before == kOneTask && *recorded_ - *back == kOneTask;
  return one_ran ? Rest::kOneTaskRan : Rest::kReached;
}

// RT throttling lets the ordinary class replace a real-time task only if the class has had less
// than its part of a period, 50 ms of a second, when the rest of the period is over. Newer kernels'
// fair server does the same. The kernel owes nothing to a class that had twice this part.
bool LockstepCpu::Share::is_large() {
  const auto real = real_time();
  if (real < until_) return true;
  const Reading now{real, thread_time()};
  if (now.real - next_.real >= kLookBack) since_ = std::exchange(next_, now);
  const auto passed = now.real - since_.real;
  if (passed > 2 * kLookBack || now.own - since_.own < kLargeShare) return false;
  until_ = real + kLookBack / 50;
  return true;
}

std::uint64_t LockstepCpu::times_left() const {
  if (const auto length = recorded()) return *length;
  constexpr std::uint64_t kUnrecorded = std::uint64_t{1} << 63;  // never equal to a length
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return kUnrecorded + static_cast<std::uint64_t>(used.ru_nvcsw + used.ru_nivcsw);
}

std::optional<std::uint64_t> LockstepCpu::recorded() const {
  return records_ == nullptr ? std::nullopt : records_->length();
}

}  // namespace sim::guest
