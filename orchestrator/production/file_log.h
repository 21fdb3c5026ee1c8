// Lines on stderr, and progress lines appended to the file or FIFO that JOB_EVENTS names.
#pragma once

#include <string>

#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/log.h"

namespace spotrun {

class FileLog : public Log {
 public:
  // `events`: a path, or empty for no progress lines. One that cannot be opened is said and left
  // out.
  FileLog(Clock& clock, const std::string& events);
  ~FileLog() override;
  FileLog(const FileLog&) = delete;
  FileLog& operator=(const FileLog&) = delete;

  void say(const std::string& line) override;
  void event(const std::string& name, const nlohmann::ordered_json& fields) override;

 private:
  Clock& clock_;
  int descriptor_ = -1;
};

}  // namespace spotrun
