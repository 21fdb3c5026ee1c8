// Combines all ways to stop a trainer: a signal, a file that appears, a notice in instance
// metadata. The trainer polls it after every step.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "trainer/spot/imds_watch.h"
#include "trainer/spot/notice.h"

namespace spottrain {

// The ways to stop that a training's options select.
struct InterruptionSources {
  // Returns the name of a received signal, or nothing. May be left out.
  std::function<std::optional<std::string>()> signal;
  std::string stop_file;                 // stops when this file appears; empty: none
  std::optional<ImdsWatchOptions> imds;  // empty: instance metadata are not polled
};

// Asks all sources. Each source alone can stop the training.
class InterruptionWatch {
 public:
  // Throws std::invalid_argument if the stop file exists already, or for a bad endpoint.
  explicit InterruptionWatch(InterruptionSources sources);

  // Empty while there is no reason to stop. The call reads a flag, and uses access(2) if there is a
  // stop file.
  std::optional<Notice> notice() const;
  // True after EC2 has recommended to rebalance.
  bool rebalance() const { return imds_ && imds_->rebalance(); }

 private:
  InterruptionSources sources_;
  std::optional<ImdsWatch> imds_;
};

}  // namespace spottrain
