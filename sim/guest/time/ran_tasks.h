// The tasks that have run on one CPU, as the kernel records them. So a look at a guest need not
// read the files of tasks that slept since the last look.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "base/files/file_descriptor.h"

namespace sim::guest {

class RanTasks {
 public:
  RanTasks() = default;
  ~RanTasks();
  RanTasks(const RanTasks&) = delete;
  RanTasks& operator=(const RanTasks&) = delete;

  // Records the tasks of this CPU from now on. Does nothing where the kernel does not permit it
  // (perf_event_open(2) needs CAP_PERFMON).
  void record(int cpu);
  bool recorded() const { return page_ != nullptr; }
  // The length of all records so far, without a system call: between two equal values this CPU has
  // not switched to another task. Empty: there are no records, or some may be lost.
  std::optional<std::uint64_t> length() const;
  // What the records of a switch to a task and back add to it.
  static constexpr std::uint64_t kTwoSwitches = 64;

  // The parts of a task that a look must read. The look marks what it has read.
  struct Mark {
    bool ran = true;
    bool forked = true;
  };
  // Marks the tasks that have run, or made a task, since the last call.
  void take();

  // The mark of one task, from here on. Cannot be copied.
  class Entry {
   public:
    Entry(RanTasks& all, pid_t tid) : all_(all), at_(all.marks_.emplace(tid, Mark{})) {}
    ~Entry() { all_.marks_.erase(at_); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    Mark& mark() { return at_->second; }

   private:
    RanTasks& all_;
    const std::multimap<pid_t, Mark>::iterator at_;
  };

 private:
  void heed(const unsigned char* record, std::uint32_t type, std::uint16_t misc);
  template <class Change>
  void change(pid_t tid, const Change& how);

  // A number may be given again before its old owner is forgotten.
  std::multimap<pid_t, Mark> marks_;
  base::FileDescriptor event_;
  unsigned char* page_ = nullptr;  // the kernel's, then the records
};

}  // namespace sim::guest
