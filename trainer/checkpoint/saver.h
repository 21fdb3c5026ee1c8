// Saves a training's state: in mode sync while training waits, in mode async in a thread while
// training continues.
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
    std::chrono::nanoseconds took{};  // from the call of save() until it was durable
    std::string error;                // why it is not durable; empty: it is
    std::string not_rotated;          // why old checkpoints stay; empty: they do not
  };

  // The folder must outlive the saver and have no other user. In mode async the constructor takes a
  // first snapshot, which allocates the memory of later ones. It also starts the thread, which
  // blocks all signals.
  Saver(CheckpointFolder& folder, Mode mode, Snapshot snapshot);
  // Waits as wait() does.
  ~Saver();
  Saver(const Saver&) = delete;
  Saver& operator=(const Saver&) = delete;

  // Takes a snapshot, saves it and rotates. At most one save is in progress: it waits for the
  // previous one. So every requested save is made, and a slow disk slows training.
  void save();
  // Until no save is in flight.
  void wait();
  // The saves that ended since the last call, in order. Only this function reports errors.
  std::vector<Outcome> outcomes();

 private:
  Outcome persist();
  void work();

  CheckpointFolder& folder_;
  const Mode mode_;
  const Snapshot snapshot_;
  Checkpoint buffer_;  // the thread's while in_flight_, as is begin_
  std::chrono::steady_clock::time_point begin_;

  std::mutex mutex_;  // protects the members below
  std::condition_variable changed_;
  bool in_flight_ = false, closing_ = false;
  std::vector<Outcome> outcomes_;
  std::thread thread_;
};

}  // namespace spottrain
