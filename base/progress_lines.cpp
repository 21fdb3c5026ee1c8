#include "base/progress_lines.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

namespace base {

ProgressLines::ProgressLines(std::string source, std::string path, WhenFull when_full,
                             std::function<void(const std::string&)> complain)
    : source_(std::move(source)), path_(std::move(path)), complain_(std::move(complain)) {
  if (path_.empty()) return;
  std::signal(SIGPIPE, SIG_IGN);
  // O_NONBLOCK: opening a FIFO without a reader would otherwise wait for one.
  file_ = FileDescriptor(
      open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644));
  if (!file_ && errno != ENXIO) complain_("no progress lines: " + path_ + ": " + strerror(errno));
  if (file_ && when_full == WhenFull::kWait)
    fcntl(file_.get(), F_SETFL, fcntl(file_.get(), F_GETFL) & ~O_NONBLOCK);
}

void ProgressLines::write(std::string_view event, const nlohmann::ordered_json& fields) {
  using Json = nlohmann::ordered_json;
  if (!file_) return;
  Json line{{"source", source_}, {"event", event}};
  line.update(fields);
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string with_end = text + "\n";
  ssize_t written;
  do {
    written = ::write(file_.get(), with_end.data(), with_end.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(with_end.size())) return;
  const int why = written < 0 ? errno : 0;
  complain_("progress line not written to " + path_ + ": " + (why ? strerror(why) : "cut off") +
            ": " + text);
  if (why == EPIPE) file_ = FileDescriptor();
}

}  // namespace base
