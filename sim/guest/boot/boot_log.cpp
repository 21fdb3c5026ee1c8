#include "sim/guest/boot/boot_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include "sim/guest/boot/cloud_init.h"
#include "sim/guest/services/clock.h"

namespace sim::guest::boot {
namespace {

void write_all(int descriptor, const std::string& text) {
  // The disk is full or the console is closed, so the error cannot be reported.
  static_cast<void>(!write(descriptor, text.data(), text.size()));
}

std::string formatted(Time time, const char* format) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char out[64];
  return {out, strftime(out, sizeof out, format, &parts)};
}

}  // namespace

BootLog::BootLog(const std::filesystem::path& file, Time now)
    : file_(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640)), began_(now) {}

Time BootLog::now() const {
  if (!moves_) return began_;
  return Time(std::chrono::nanoseconds(services::now()));
}

double BootLog::uptime() const {
  return std::chrono::duration<double>(kBootTime + (now() - began_)).count();
}

std::string BootLog::date(Time time) { return formatted(time, "%a, %d %b %Y %H:%M:%S +0000"); }

void BootLog::say(const std::string& line) { write_all(STDOUT_FILENO, line + "\n"); }

void BootLog::stage(const std::string& name) {
  const std::string line = fmt::format("Cloud-init v. {} running '{}' at {}. Up {:.2f} seconds.",
                                       kVersion, name, date(now()), uptime());
  append("util.py", "DEBUG", line);
  say(line);
}

void BootLog::append(const std::string& source, const char* level, const std::string& text) {
  const Time time = now();
  const auto millisecond = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch() %
                           std::chrono::seconds(1);
  const std::string line =
      fmt::format("{},{:03} - {}[{}]: {}", formatted(time, "%Y-%m-%d %H:%M:%S"),
                  millisecond.count(), source, level, text);
  if (file_) write_all(file_.get(), line + "\n");
  if (level == std::string_view("WARNING")) say(line);
}

void BootLog::debug(const std::string& source, const std::string& text) {
  append(source, "DEBUG", text);
}

void BootLog::warn(const std::string& source, const std::string& text) {
  append(source, "WARNING", text);
}

}  // namespace sim::guest::boot
