// Saves a training's state. In mode sync, training waits until the state is saved. In mode async, a
// thread saves it while training continues.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/checkpoint/folder.h"

namespace spottrain {

// Owns the copy of the state that is being saved and, in mode async, the thread that writes it.
class Saver {
 public:
  enum class Mode {
    sync,   // save() returns when the checkpoint is durable
    async,  // save() returns when the state is copied; a thread writes the copy
  };
  // Copies the training's present state into a checkpoint. The argument is always the same object,
  // so its memory is allocated only once.
  using Snapshot = std::function<void(Checkpoint&)>;
  // How a save ended.
  struct Outcome {
    std::int64_t step = 0;
    std::uint64_t bytes = 0;          // of the data file
    std::chrono::nanoseconds took{};  // from the call of save() until the checkpoint was durable
    std::string error;                // why it is not durable; empty if it is
    std::string not_rotated;          // why old checkpoints were not removed; empty if they were
  };

  // The folder must outlive the saver and have no other user. In mode async the constructor takes a
  // first snapshot, which allocates the memory of later ones. It also starts the thread, which
  // blocks all signals.
  Saver(CheckpointFolder& folder, Mode mode, Snapshot snapshot);
  // Waits for the save in progress.
  ~Saver();
  Saver(const Saver&) = delete;
  Saver& operator=(const Saver&) = delete;

  // Takes a snapshot, saves it and rotates. At most one save is in progress, so this call waits for
  // the previous one. Every requested save is made, and a slow disk slows training.
  void save();
  // Waits until no save is in progress.
  void wait();
  // The saves that ended since the last call, in order. This is the only function that reports
  // errors.
  std::vector<Outcome> outcomes();

 private:
  Outcome persist();
  void work();

  CheckpointFolder& folder_;
  const Mode mode_;
  const Snapshot snapshot_;
  Checkpoint buffer_;  // used by the thread while in_flight_, like begin_
  std::chrono::steady_clock::time_point begin_;

  std::mutex mutex_;  // protects the members below
  std::condition_variable changed_;
  bool in_flight_ = false, closing_ = false;
  std::vector<Outcome> outcomes_;
  std::thread thread_;
};

}  // namespace spottrain
