// The loop of a supervisor. It answers the calls of the guests, looks whether their tasks rest, and
// lets time pass (supervisor.h has the rules).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/ran_tasks.h"
#include "sim/guest/time/spinning_tasks.h"
#include "sim/guest/time/trapped_call.h"

namespace sim::guest {

class SupervisorLoop {
 public:
  using Microseconds = std::chrono::microseconds;

  // With lockstep, pins the calling thread to the CPU it runs on, until destruction.
  SupervisorLoop(Simulation& simulation, SupervisorOptions options);

  // Supervisor::run().
  bool run(const std::function<bool()>& done);

  RanTasks records;  // lockstep
  SupervisorState world;
  const base::FileDescriptor listeners;  // epoll, of the guests that have not hung up
  std::vector<std::function<bool()>> sources;

 private:
  bool hear_calls(bool at_most_one = false);
  Notification next_call(Guest& guest) const;
  bool serve_question();
  bool serve_one();
  bool work();
  bool settle();
  bool settle_quiet();
  bool poll_sources();
  bool calls_again();
  void take_clock_back();
  bool look();
  bool all_asleep();
  bool look_at(Guest& guest);
  std::vector<TaskState> seen_of_restless() const;
  bool certain();
  void pause(Microseconds longest);

  std::optional<LockstepCpu> cpu_;  // lockstep
  SpinningTasks spinning_{world};
  bool worked_ = false;  // in the last step of run()
  bool heard_ = false;   // by a look with nothing after it: no call can have come in since
  std::optional<std::vector<TaskState>> looked_;  // certain()'s previous look
  int awake_ = 0;  // free-running: token of the guest that was awake in the last look
};

}  // namespace sim::guest
