#include "sim/serve/record.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/process/system_call.h"
#include "sim/events/event.h"
#include "sim/result/metrics.h"

namespace sim::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeldBack = 64 * 1024;

base::FileDescriptor opened(const fs::path& folder) {
  if (folder.empty()) {
    const fs::path place = fs::temp_directory_path();
    return base::FileDescriptor(
        base::checked(open(place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600),
                      "making a temporary file in " + place.string()));
  }
  fs::create_directories(folder);
  const fs::path file = folder / "events.jsonl";
  return base::FileDescriptor(
      base::checked(open(file.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644),
                    "writing " + file.string() + " (--out names another folder)"));
}

}  // namespace

Record::Record(EventLog& log, const fs::path& folder) : file_(opened(folder)) {
  builder_.listen(log.listeners());
  log.listeners().on_all([this](const events::AnyEvent&, std::string_view line) {
    buffer_ += line;
    buffer_ += '\n';
    if (buffer_.size() > kHeldBack) flush();
  });
}

void Record::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const auto n = write(file_.get(), buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    done += static_cast<std::size_t>(base::checked(n, "writing the event log"));
  }
  written_ += buffer_.size();
  buffer_.clear();
}

std::string Record::log_from(std::uint64_t offset, std::size_t most) {
  flush();
  std::string text;
  while (offset + text.size() < written_) {
    const std::size_t before = text.size();
    text.resize(before + std::min<std::uint64_t>(most, written_ - offset - before));
    const auto n = base::checked(pread(file_.get(), text.data() + before, text.size() - before,
                                       static_cast<off_t>(offset + before)),
                                 "reading the event log");
    text.resize(before + static_cast<std::size_t>(n));
    const auto end = text.rfind('\n');
    if (end != std::string::npos) return text.substr(0, end + 1);
    if (n == 0) break;
  }
  return "";
}

Json Record::result_so_far(Time now) const {
  result::History so_far = history();
  so_far.outcome = "running";
  so_far.end = now;
  result::Result result = result::compute(so_far);
  result.invariants.clear();  // they are about the end of a run
  return result::to_json(result);
}

}  // namespace sim::serve
