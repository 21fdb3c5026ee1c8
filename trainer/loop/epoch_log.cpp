#include "trainer/loop/epoch_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// The beginning of a file, and the text before a row's epoch.
struct Shape {
  std::string_view header, before_epoch;
};
Shape shape_of(LogFormat format) {
  if (format == LogFormat::json_lines) return {"", "{\"epoch\":"};
  return {"epoch,step,train_loss,train_accuracy,validation_accuracy,test_accuracy,learning_rate\n",
          ""};
}

std::string csv(const EpochRow& row) {
  const auto share = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6f}", *value) : "";
  };
  return fmt::format("{},{},{:.6f},{:.6f},{},{},{}\n", row.epoch, row.step, row.train_loss,
                     row.train_accuracy, share(row.validation_accuracy), share(row.test_accuracy),
                     row.learning_rate);
}

std::string json_line(const EpochRow& row) {
  using Json = nlohmann::ordered_json;
  const auto share = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  return Json{{"epoch", row.epoch},
              {"step", row.step},
              {"train_loss", row.train_loss},
              {"train_accuracy", row.train_accuracy},
              {"validation_accuracy", share(row.validation_accuracy)},
              {"test_accuracy", share(row.test_accuracy)},
              {"learning_rate", row.learning_rate}}
             .dump() +
         "\n";
}

[[noreturn]] void fail(const char* what, const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), std::string(what) + " " + file.string());
}

// The number of bytes of the header and of the complete rows of epochs 1, 2 … `epochs`.
std::size_t kept_bytes(std::string_view text, Shape shape, std::int64_t epochs) {
  if (!text.starts_with(shape.header)) return 0;
  std::size_t kept = shape.header.size();
  for (std::size_t end; (end = text.find('\n', kept)) != std::string_view::npos; kept = end + 1) {
    std::string_view row = text.substr(kept, end - kept);
    if (!row.starts_with(shape.before_epoch)) break;
    row.remove_prefix(shape.before_epoch.size());
    std::int64_t epoch = 0;
    const auto [stop, error] = std::from_chars(row.data(), row.data() + row.size(), epoch);
    if (error != std::errc() || stop == row.data() + row.size() || *stop != ',' || epoch > epochs) {
      break;
    }
  }
  return kept;
}

// True if the text may be the beginning of a log, also if its header or first row was cut off.
bool is_log(std::string_view text, Shape shape) {
  const std::string_view begin = shape.header.empty() ? shape.before_epoch : shape.header;
  return text.starts_with(begin) || begin.starts_with(text);
}

void append_durably(const fs::path& file, std::string_view text) {
  const base::FileDescriptor fd(
      open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) fail("open", file);
  const off_t before = lseek(fd.get(), 0, SEEK_END);
  const ssize_t written = write(fd.get(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) {
    const int error = written < 0 ? errno : ENOSPC;
    if (ftruncate(fd.get(), before) != 0) fail("truncate", file);  // no part of a row stays
    errno = error;
    fail("write", file);
  }
  if (fsync(fd.get()) != 0) fail("fsync", file);
}

}  // namespace

EpochLog::EpochLog(fs::path file, LogFormat format, std::int64_t epochs)
    : file_(std::move(file)), format_(format) {
  const Shape shape = shape_of(format);
  const std::string text = fs::exists(file_) ? base::read_regular_file(file_) : "";
  if (!is_log(text, shape)) {
    throw std::invalid_argument(
        file_.string() + ": found a file that is no log of a training, expected one or none");
  }
  const std::size_t kept = kept_bytes(text, shape, epochs);
  if (kept > 0) {
    if (truncate(file_.c_str(), static_cast<off_t>(kept)) != 0) fail("truncate", file_);
    return;
  }
  fs::remove(file_);
  append_durably(file_, shape.header);
  base::sync_folder(fs::absolute(file_).parent_path());
}

void EpochLog::append(const EpochRow& row) {
  append_durably(file_, format_ == LogFormat::csv ? csv(row) : json_line(row));
}

}  // namespace spottrain
