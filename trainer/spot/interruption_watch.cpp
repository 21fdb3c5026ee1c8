#include "trainer/spot/interruption_watch.h"

#include <unistd.h>

#include <stdexcept>

namespace spottrain {
namespace {

bool appeared(const std::string& file) { return access(file.c_str(), F_OK) == 0; }

}  // namespace

InterruptionWatch::InterruptionWatch(InterruptionSources sources) : sources_(std::move(sources)) {
  if (!sources_.stop_file.empty() && appeared(sources_.stop_file)) {
    throw std::invalid_argument("stop file " + sources_.stop_file +
                                ": is there already, expected none until training shall stop");
  }
  if (sources_.imds) imds_.emplace(*sources_.imds);
}

std::optional<Notice> InterruptionWatch::notice() const {
  // Metadata comes first, because only metadata state the remaining time.
  if (imds_) {
    if (auto notice = imds_->notice()) return notice;
  }
  if (sources_.signal) {
    if (auto name = sources_.signal()) return Notice{.reason = *std::move(name), .deadline = {}};
  }
  if (!sources_.stop_file.empty() && appeared(sources_.stop_file)) {
    return Notice{.reason = "stop file", .deadline = {}};
  }
  return {};
}

}  // namespace spottrain
