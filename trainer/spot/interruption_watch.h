// Combines all ways to stop a trainer, which polls it after every step: a signal, a file that
// appears, a notice in instance metadata.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "trainer/spot/imds_watch.h"
#include "trainer/spot/notice.h"

namespace spottrain {

struct InterruptionSources {
  // The name of a signal that came, empty when none did; may be left out.
  std::function<std::optional<std::string>()> signal;
  std::string stop_file;                 // stops when this file appears; empty: none
  std::optional<ImdsWatchOptions> imds;  // empty: instance metadata is not asked
};

class InterruptionWatch {
 public:
  // Throws std::invalid_argument if the stop file exists already, or for a bad endpoint.
  explicit InterruptionWatch(InterruptionSources sources);

  // Empty while there is no reason to stop. It costs reading a flag, and access(2) with a stop
  // file.
  std::optional<Notice> notice() const;
  // True after EC2 has recommended to rebalance.
  bool rebalance() const { return imds_ && imds_->rebalance(); }

 private:
  InterruptionSources sources_;
  std::optional<ImdsWatch> imds_;
};

}  // namespace spottrain
