// Where a modelled trainer's checkpoints are kept. Each transfer returns the virtual time that it
// takes.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::guest {

class CheckpointPlace {
 public:
  virtual ~CheckpointPlace() = default;
  // A checkpoint of this size and its manifest, until they are durable.
  virtual Duration write_checkpoint(std::int64_t bytes) = 0;
  // The newest one, at a trainer's start.
  virtual Duration read_checkpoint(std::int64_t bytes) = 0;
  // The steps of those that are durable, the newest last.
  virtual std::vector<std::int64_t>& checkpoints() = 0;

 protected:
  // The file beside a checkpoint that says what it is.
  static constexpr std::int64_t kManifestBytes = 280;
};

}  // namespace sim::guest
