#include "sim/guest/boot/cron.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"
#include "base/process/process_name.h"
#include "base/process/system_call.h"
#include "sim/guest/services/clock.h"

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCron = "/usr/sbin/cron";
constexpr const char* kStopped = "/run/cron.stopped";
constexpr const char* kBooted = "/run/crond.reboot";  // cron has run the jobs of @reboot
constexpr const char* kTable = "/etc/crontab";
constexpr const char* kSpool = "/var/spool/cron/crontabs";
constexpr const char* kFolders[] = {kSpool,
                                    "/etc/cron.d",
                                    "/etc/cron.hourly",
                                    "/etc/cron.daily",
                                    "/etc/cron.weekly",
                                    "/etc/cron.monthly"};

}  // namespace

// Ubuntu's images have the same, at the same times.
const char* const kCrontab =
    R"(# /etc/crontab: the system's jobs; files in /etc/cron.d have the same fields.
SHELL=/bin/sh
PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin

# m h dom mon dow user  command
17 *    * * *   root    cd / && run-parts --report /etc/cron.hourly
25 6    * * *   root    cd / && run-parts --report /etc/cron.daily
47 6    * * 7   root    cd / && run-parts --report /etc/cron.weekly
52 6    1 * *   root    cd / && run-parts --report /etc/cron.monthly
)";

namespace {

// Hides the host's files in a folder. Where they cannot be removed, an empty folder covers them.
void empty_folder(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  for (const auto& file : files)
    if (!error) fs::remove_all(file, error);
  if (!error && (folder != kSpool || access(kSpool, W_OK) == 0)) return;
  mount("tmpfs", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
        folder == kSpool ? "mode=1730" : "mode=755");
}

// A user's crontab must belong to that user and must not be readable by others. Below level root
// there is only one user, so the file belongs to root, which cron also accepts.
void put(const std::string& path, const CronFile& file) {
  const bool spooled = path.starts_with(kSpool);
  const base::FileDescriptor out(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!out) return;
  base::checked(write(out.get(), file.text.data(), file.text.size()), "writing " + path);
  if (spooled)
    static_cast<void>(fchown(out.get(), file.owner, static_cast<gid_t>(-1)) == 0);
  else
    fchmod(out.get(), file.executable ? 0755 : 0644);
}

// crontab(1) of a user writes there with the program's own group.
void open_spool_to_crontab() {
  struct stat program {};
  if (stat("/usr/bin/crontab", &program) != 0) return;
  if (chown(kSpool, 0, program.st_gid) == 0) chmod(kSpool, 01730);
}

class Watch {
 public:
  explicit Watch(const std::map<std::string, std::string>& environment)
      : environment_(environment),
        console_(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)),
        events_(inotify_init1(IN_CLOEXEC)) {
    for (const char* folder : kFolders)
      inotify_add_watch(events_.get(), folder,
                        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB);
    inotify_add_watch(events_.get(), "/etc", IN_CLOSE_WRITE | IN_MOVED_TO);
    for (const auto& path : paths()) times_[path] = time_of(path);
  }

  void start_if_there_are_jobs() {
    const auto jobs = [](const char* folder) {
      std::error_code gone;
      return fs::directory_iterator(folder, gone) != fs::directory_iterator();
    };
    started_ = std::ranges::any_of(kFolders, jobs);
    if (started_) start();
  }

  [[noreturn]] void run() {
    char news[4096];
    while (read(events_.get(), news, sizeof news) > 0) {
      if (!stamp_changes() || started_ || access(kStopped, F_OK) == 0) continue;
      started_ = true;
      start();
    }
    _exit(1);
  }

 private:
  static std::vector<fs::path> paths() {
    std::vector<fs::path> out{kTable};
    for (const char* folder : kFolders) {
      out.emplace_back(folder);
      std::error_code gone;
      for (const auto& entry : fs::directory_iterator(folder, gone)) out.push_back(entry.path());
    }
    std::ranges::sort(out);
    return out;
  }

  // The file's time in nanoseconds; 0 if there is no file.
  static std::int64_t time_of(const fs::path& path) {
    struct stat found {};
    if (lstat(path.c_str(), &found) != 0) return 0;
    return found.st_mtim.tv_sec * std::int64_t{1000000000} + found.st_mtim.tv_nsec;
  }

  // Gives each changed file a time of its own; false when no file has changed.
  bool stamp_changes() {
    bool any = false;
    for (const auto& path : paths()) {
      const std::int64_t time = time_of(path);
      if (time == 0 || times_[path] == time) continue;
      any = true;
      last_ = std::max<std::int64_t>(last_ + 1, services::now() / 1000000000);
      const timespec stamp[] = {{last_, 0}, {last_, 0}};
      utimensat(AT_FDCWD, path.c_str(), stamp, AT_SYMLINK_NOFOLLOW);
      times_[path] = time_of(path);
    }
    return any;
  }

  void start() const {
    const pid_t child = fork();
    if (child != 0) return;
    signal(SIGCHLD, SIG_DFL);
    std::vector<std::string> settings;
    for (const auto& [key, value] : environment_) settings.push_back(key + "=" + value);
    std::vector<char*> variables;
    for (auto& setting : settings) variables.push_back(setting.data());
    variables.push_back(nullptr);
    char* const words[] = {const_cast<char*>(kCron), const_cast<char*>("-f"), nullptr};
    execve(kCron, words, variables.data());
    dup2(console_.get(), STDERR_FILENO);
    dprintf(STDERR_FILENO, "no crontab is run: %s: %s\n", kCron, strerror(errno));
    _exit(127);  // which is reported with that line
  }

  std::map<std::string, std::string> environment_;
  base::FileDescriptor console_, events_;
  std::map<fs::path, std::int64_t> times_;
  std::int64_t last_ = 0;  // the newest time that was given
  bool started_ = false;
};

}  // namespace

CronFiles cron_files_of(const fs::path& image, const std::map<std::string, uid_t>& users) {
  CronFiles files;
  if (image.empty()) return files;
  for (const fs::path folder : kFolders) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(image / folder.relative_path(), none)) {
      if (!entry.is_regular_file()) continue;
      const bool runs = (entry.status().permissions() & fs::perms::owner_exec) != fs::perms::none;
      const std::string name = entry.path().filename();
      const auto user = users.find(name);
      const bool owned = folder == kSpool && user != users.end();
      files[folder / name] = {base::read_bytes(entry.path()), runs, owned ? user->second : 0};
    }
  }
  return files;
}

void start_cron(const std::map<std::string, std::string>& environment, bool again,
                const CronFiles& of_image) {
  if (!again) {
    for (const char* folder : kFolders) empty_folder(folder);
    for (const auto& [path, file] : of_image) put(path, file);
    if (!of_image.empty()) open_spool_to_crontab();
    // The machine was up before the first crontab came, so `@reboot` jobs wait for the next start.
    if (of_image.empty()) close(open(kBooted, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  }
  Watch watch(environment);
  if (fork() != 0) return;
  base::name_process("cron-watch");
  setsid();
  signal(SIGCHLD, SIG_IGN);
  signal(SIGTERM, SIG_DFL);  // Programs only notes it
  const int nothing = open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nothing, descriptor);
  watch.start_if_there_are_jobs();
  watch.run();
}

}  // namespace sim::guest::boot
