#include "orchestrator/production/file_log.h"

#include <fmt/format.h>

namespace spotrun {

FileLog::FileLog(Clock& clock, const std::string& events)
    : clock_(clock),
      lines_("orchestrator", events, base::ProgressLines::WhenFull::kLeaveOut,
             [this](const std::string& what) { say(what); }) {}

void FileLog::say(const std::string& line) {
  // fmt::print would throw, and a full disk must not end the job.
  std::fputs(fmt::format("{} spotrun: {}\n", base::iso_time(clock_.now(), 0), line).c_str(),
             stderr);
}

void FileLog::event(const std::string& name, const nlohmann::ordered_json& fields) {
  lines_.write(name, fields);
}

}  // namespace spotrun
