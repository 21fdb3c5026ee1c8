#include "orchestrator/production/file_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace spotrun {

FileLog::FileLog(Clock& clock, const std::string& events) : clock_(clock) {
  if (events.empty()) return;
  // O_NONBLOCK: a FIFO that nobody reads must not hang the job.
  descriptor_ = open(events.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
  if (descriptor_ < 0) say(fmt::format("JOB_EVENTS={}: {}", events, std::strerror(errno)));
}

FileLog::~FileLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FileLog::say(const std::string& line) {
  fmt::print(stderr, "{} spotrun: {}\n", base::iso_time(clock_.now(), 0), line);
}

void FileLog::event(const std::string& name, const nlohmann::ordered_json& fields) {
  if (descriptor_ < 0) return;
  nlohmann::ordered_json line{{"source", "orchestrator"}, {"event", name}};
  line.update(fields);
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  const std::string text = line.dump(-1, ' ', false, replace) + "\n";
  // One write a line, so that lines of several programs do not mix.
  if (write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    say(fmt::format("a progress line was not written: {}", std::strerror(errno)));
  }
}

}  // namespace spotrun
