// Writes the orchestrator's lines to stderr, and progress lines to a file or FIFO.
#pragma once

#include <string>

#include "base/progress_lines.h"
#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/log.h"

namespace spotrun {

class FileLog : public Log {
 public:
  // `events` is the path for progress lines (base/progress_lines.h). A slow reader does not delay
  // the job.
  FileLog(Clock& clock, const std::string& events);

  void say(const std::string& line) override;
  void event(const std::string& name, const nlohmann::ordered_json& fields) override;

 private:
  Clock& clock_;
  base::ProgressLines lines_;
};

}  // namespace spotrun
