#include "sim/guest/time/ran_tasks.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

namespace sim::guest {
namespace {

// A switch has two records of 16 bytes, of the task that leaves the CPU and of the one that gets
// it.
static_assert(RanTasks::kTwoSwitches == 4 * (sizeof(perf_event_header) + 2 * sizeof(pid_t)));

// Space for some 8,000 task switches. Further ones are reported as lost.
constexpr std::size_t kPage = 4096, kRecords = 64 * kPage;

template <typename T>
T read_at(const unsigned char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

RanTasks::~RanTasks() {
  if (page_ != nullptr) munmap(page_, kPage + kRecords);
}

void RanTasks::record(int cpu) {
  perf_event_attr what{};
  what.size = sizeof what;
  what.type = PERF_TYPE_SOFTWARE;
  what.config = PERF_COUNT_SW_DUMMY;
  what.context_switch = 1;
  what.task = 1;
  event_ = base::FileDescriptor(
      static_cast<int>(syscall(SYS_perf_event_open, &what, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event_) return;
  void* at = mmap(nullptr, kPage + kRecords, PROT_READ | PROT_WRITE, MAP_SHARED, event_.get(), 0);
  if (at != MAP_FAILED) page_ = static_cast<unsigned char*>(at);
}

std::optional<std::uint64_t> RanTasks::length() const {
  if (page_ == nullptr) return {};
  auto& shared = *reinterpret_cast<perf_event_mmap_page*>(page_);
  const std::uint64_t end = std::atomic_ref(shared.data_head).load(std::memory_order_acquire);
  if (end - shared.data_tail > kRecords - kPage) return {};
  return end;
}

void RanTasks::take() {
  if (page_ == nullptr) return;
  auto& shared = *reinterpret_cast<perf_event_mmap_page*>(page_);
  const std::uint64_t end = std::atomic_ref(shared.data_head).load(std::memory_order_acquire);
  std::uint64_t at = shared.data_tail;
  while (at < end) {
    std::array<unsigned char, 64> record{};  // longer records are not requested
    const auto byte = [&](std::uint64_t i) { return page_[kPage + (at + i) % kRecords]; };
    for (std::size_t i = 0; i < sizeof(perf_event_header); ++i) record[i] = byte(i);
    const auto header = read_at<perf_event_header>(record.data());
    for (std::size_t i = sizeof header; i < header.size && i < record.size(); ++i)
      record[i] = byte(i);
    heed(record.data() + sizeof header, header.type, header.misc);
    at += header.size;
  }
  std::atomic_ref(shared.data_tail).store(at, std::memory_order_release);
}

// The records' layouts: perf_event_open(2).
void RanTasks::heed(const unsigned char* record, std::uint32_t type, std::uint16_t misc) {
  switch (type) {
    case PERF_RECORD_SWITCH_CPU_WIDE:  // pid and tid of the next task
      if ((misc & PERF_RECORD_MISC_SWITCH_OUT) != 0)
        change(read_at<pid_t>(record + 4), [](Mark& mark) { mark.ran = true; });
      break;
    case PERF_RECORD_FORK:  // pid, parent's pid, tid, parent's tid
      change(read_at<pid_t>(record + 12), [](Mark& mark) { mark.forked = true; });
      break;
    case PERF_RECORD_LOST:
      for (auto& [tid, mark] : marks_) mark = {};
      break;
    default:
      break;
  }
}

template <class Change>
void RanTasks::change(pid_t tid, const Change& how) {
  const auto [first, last] = marks_.equal_range(tid);
  for (auto at = first; at != last; ++at) how(at->second);
}

}  // namespace sim::guest
