// The place of a training's checkpoints: files in a folder, or objects in a bucket.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trainer/checkpoint/checkpoint.h"

namespace spottrain {

// Stores checkpoints by step. Not thread-safe. After an undocumented exception it is unknown
// whether the checkpoint exists, because a bucket may be unreachable.
class Storage {
 public:
  virtual ~Storage() = default;

  // The storage's name: "/data/checkpoints", "s3://bucket/job". Names of objects follow after a
  // slash.
  virtual std::string name() const = 0;
  std::string path_of(const std::string& file) const {
    const std::string folder = name();
    return folder.ends_with('/') ? folder + file : folder + '/' + file;
  }

  // All names, in any order. Throws std::system_error.
  virtual std::vector<std::string> names() = 0;
  // Reads an object of at most this many bytes. Throws std::system_error if it cannot be read or is
  // larger, and DamagedCheckpoint if it does not exist.
  virtual std::string read(const std::string& name, std::uint64_t most_bytes = UINT64_MAX) = 0;
  // Writes data and manifest under the names of their step. The manifest is written when the data
  // is durable. When this returns, the checkpoint survives the machine. Returns the size of its
  // data in bytes. Throws std::system_error.
  virtual std::uint64_t store(const Checkpoint& checkpoint) = 0;
  // Removes an object. A missing object is no error. Throws std::system_error.
  virtual void remove(const std::string& name) = 0;
};

}  // namespace spottrain
