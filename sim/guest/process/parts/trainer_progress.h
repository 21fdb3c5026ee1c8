// Reads trainers' logs by the scenario's rule, and finds copies of checkpoints in buckets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/guest/process/parts/consoles.h"
#include "sim/guest/process/parts/devices.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/process/progress/checkpoint_copies.h"
#include "sim/guest/process/progress/progress_reader.h"

namespace sim::guest {

// The part of ProcessHost for trainers that do not report in spotsim's format. For each machine it
// owns a reader (ProgressReader) that turns lines of a log into trainer events, by the scenario's
// rule `progress`. It also recognizes copies of checkpoints in buckets.
class TrainerProgress {
 public:
  TrainerProgress(HostContext&, const Machines&, Consoles&, const Devices&);

  // Watches the objects that are stored in buckets. Call it once HostContext::backend has buckets.
  void follow_copies();
  void close() { copies_.reset(); }  // call it before the buckets are destroyed

  // ---- one machine. Without a rule these functions do nothing
  void watch(Machine&);
  bool read(Machine&);  // true if there was any progress
  void end(Machine&);
  // A file system was mounted: progress in its files is not this machine's.
  void skip_what_was_mounted(Machine&);
  // A file system is about to be unmounted: reads checkpoint files that were not noticed yet.
  void look_at_files(Machine&);

  // A trainer reports a checkpoint. SageMaker copies those of containers.
  void saved(const std::string& machine, const std::string& path, std::int64_t step,
             std::int64_t since);

 private:
  HostContext& context_;
  const Machines& machines_;
  Consoles& consoles_;
  const Devices& devices_;
  ProgressMemory memory_;
  std::optional<CheckpointCopies> copies_;
};

}  // namespace sim::guest
