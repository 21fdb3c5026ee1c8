#include "trainer/loop/epoch_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "trainer/checkpoint/descriptor.h"
#include "trainer/checkpoint/durable_file.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader =
    "epoch,step,train_loss,train_accuracy,test_accuracy,learning_rate\n";

[[noreturn]] void fail(const char* what, const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), std::string(what) + " " + file.string());
}

// How many bytes of text are the header and whole rows of epochs 1, 2 … up to `epochs`.
std::size_t kept_bytes(std::string_view text, std::int64_t epochs) {
  if (!text.starts_with(kHeader)) return 0;
  std::size_t kept = kHeader.size();
  for (std::size_t end; (end = text.find('\n', kept)) != std::string_view::npos; kept = end + 1) {
    std::int64_t epoch = 0;
    const auto [stop, error] = std::from_chars(text.data() + kept, text.data() + end, epoch);
    if (error != std::errc() || *stop != ',' || epoch > epochs) break;
  }
  return kept;
}

void append_durably(const fs::path& file, std::string_view text) {
  const Descriptor fd(open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) fail("open", file);
  const ssize_t written = write(fd.get(), text.data(), text.size());
  if (written >= 0 && written < static_cast<ssize_t>(text.size())) errno = ENOSPC;
  if (written != static_cast<ssize_t>(text.size())) fail("write", file);
  if (fsync(fd.get()) != 0) fail("fsync", file);
}

}  // namespace

EpochLog::EpochLog(fs::path file, std::int64_t epochs) : file_(std::move(file)) {
  const std::size_t kept = fs::exists(file_) ? kept_bytes(read_whole_file(file_), epochs) : 0;
  if (kept > 0) {
    if (truncate(file_.c_str(), static_cast<off_t>(kept)) != 0) fail("truncate", file_);
    return;
  }
  fs::remove(file_);
  append_durably(file_, kHeader);
  sync_folder(fs::absolute(file_).parent_path());
}

void EpochLog::append(const EpochRow& row) {
  append_durably(file_,
                 fmt::format("{},{},{:.6f},{:.6f},{:.6f},{}\n", row.epoch, row.step, row.train_loss,
                             row.train_accuracy, row.test_accuracy, row.learning_rate));
}

}  // namespace spottrain
