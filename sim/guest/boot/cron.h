// cron in a guest: Debian's own, on virtual time, from the first crontab on.
#pragma once

#include <map>
#include <string>

namespace sim::guest::boot {

// The guest's /etc/crontab: to be there before start_cron().
extern const char* const kCrontab;

// Takes the host's jobs away and leaves a process behind that waits, asleep, for a crontab: in
// /var/spool/cron/crontabs, /etc/cron.d, /etc/cron.hourly and its kin, or /etc/crontab. At the
// first one it starts cron(8), unless /run/cron.stopped is there. cron notices a change by a file's
// time in whole seconds, which would be real ones: each changed file gets a time of its own, of the
// guest's clock. After a reboot (`again`) the jobs there are the guest's: cron starts at once where
// there are any, and runs those of `@reboot`. Does nothing where the image has no cron. Call before
// anything is started.
void start_cron(const std::map<std::string, std::string>& environment, bool again);

}  // namespace sim::guest::boot
