// cron in a guest: Debian's own, on virtual time, from the first crontab on.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace sim::guest::boot {

// A file of cron's that an image brings.
struct CronFile {
  std::string text;
  bool executable = false;
  uid_t owner = 0;  // of a user's crontab, that user
};
using CronFiles = std::map<std::string, CronFile>;  // by its path in the guest

// The crontabs of an image's folder, except /etc/crontab; `users` by name. Called on the host.
CronFiles cron_files_of(const std::filesystem::path& image,
                        const std::map<std::string, uid_t>& users);

// The guest's /etc/crontab: to be there before start_cron().
extern const char* const kCrontab;

// Replaces the host's jobs by the image's, and leaves a process that waits, asleep, for a crontab:
// in /var/spool/cron/crontabs, /etc/cron.d, /etc/cron.hourly and the like, or /etc/crontab. At the
// first crontab, which may be the image's, the process starts cron(8), unless /run/cron.stopped
// exists. If the image has no cron, a line on the console answers the first crontab.
//
// cron notices a change by a file's time in whole seconds, which would be real seconds. So each
// changed file gets a separate time of the guest's clock. After a reboot (`again`) the present jobs
// are the guest's: cron starts at once if there are any, and runs those of `@reboot`. Call this
// function before anything is started.
void start_cron(const std::map<std::string, std::string>& environment, bool again,
                const CronFiles& of_image);

}  // namespace sim::guest::boot
