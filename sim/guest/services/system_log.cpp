#include "sim/guest/services/system_log.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/process/system_call.h"
#include "sim/guest/services/clock.h"

namespace sim::guest::services {
namespace {

constexpr const char* kSocket = "/dev/log";
constexpr const char* kUnits = "/run/log/units";  // journald's own files are also there
constexpr std::size_t kLongestMessage = 65536;

void append(const std::string& file, const std::string& text, mode_t mode) {
  const base::FileDescriptor out(
      open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode));
  static_cast<void>(!write(out.get(), text.data(), text.size()));
}

// "Nov  5 10:00:57", the format of RFC 3164.
std::string stamp() {
  const time_t seconds = static_cast<time_t>(now() / 1000000000);
  tm local{};
  tzset();  // the time zone may have been set since
  localtime_r(&seconds, &local);
  std::array<char, 32> text{};
  strftime(text.data(), text.size(), "%b %e %H:%M:%S", &local);
  return text.data();
}

std::string hostname() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

bool has_stamp(std::string_view text) {
  return text.size() > 16 && text[3] == ' ' && text[6] == ' ' && text[9] == ':' &&
         text[12] == ':' && text[15] == ' ';
}

// Red Hat's and Amazon's systems use other names for the same files.
bool like_red_hat() {
  return access("/etc/redhat-release", F_OK) == 0 || access("/etc/system-release", F_OK) == 0;
}

std::string file_for(int facility) {
  const bool secret = facility == 4 || facility == 10;  // auth, authpriv
  if (like_red_hat()) return secret ? "/var/log/secure" : "/var/log/messages";
  return secret ? "/var/log/auth.log" : "/var/log/syslog";
}

}  // namespace

SystemLog::SystemLog()
    : socket_(base::checked(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                            "making the log's socket")) {
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  std::string_view(kSocket).copy(name.sun_path, sizeof name.sun_path - 1);
  unlink(kSocket);  // of the boot before
  base::checked(bind(socket_.get(), reinterpret_cast<sockaddr*>(&name), sizeof name),
                "making /dev/log");
  base::checked(chmod(kSocket, 0666), "opening up /dev/log");
  std::filesystem::create_directories(kUnits);
}

void SystemLog::drain() {
  std::string message(kLongestMessage, '\0');
  for (ssize_t n; (n = recv(socket_.get(), message.data(), message.size(), 0)) >= 0;) {
    std::string_view text(message.data(), static_cast<std::size_t>(n));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.remove_suffix(1);
    int facility = 1;  // user
    if (const auto end = text.find('>'); text.starts_with('<') && end < 5) {
      facility = std::atoi(std::string(text.substr(1, end - 1)).c_str()) / 8;
      text.remove_prefix(end + 1);
    }
    std::string time;
    if (has_stamp(text)) {
      time = text.substr(0, 15);
      text.remove_prefix(16);
    } else {
      time = stamp();
    }
    append(file_for(facility), time + " " + hostname() + " " + std::string(text) + "\n", 0640);
  }
}

void SystemLog::add(const std::string& unit, const std::string& who, std::string_view line) {
  const std::string text = stamp() + " " + hostname() + " " + who + ": " + std::string(line) + "\n";
  append(file_for(3), text, 0640);  // daemon
  if (!unit.empty()) append(file_of(unit), text, 0644);
}

std::string SystemLog::file_of(const std::string& unit) { return std::string(kUnits) + "/" + unit; }

}  // namespace sim::guest::services
