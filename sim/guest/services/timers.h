// Timer units: when which service starts (systemd.timer(5)).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/services/calendar.h"
#include "sim/guest/services/unit_file.h"

namespace sim::guest::services {

// The times of the service that a timer starts, in nanoseconds since 1970; 0 for never.
struct ServiceTimes {
  bool busy = false;  // it starts, runs or stops
  long long activated = 0, deactivated = 0;
};

// The started timers. Each elapses at the beginning of the interval that AccuracySec permits.
class Timers {
 public:
  using Start = std::function<void(const std::string& service)>;
  using Look = std::function<ServiceTimes(const std::string& service)>;
  Timers(Start start, Look look) : start_(std::move(start)), look_(std::move(look)) {}

  void start(const std::string& name, UnitFile file);
  void stop(const std::string& name) { timers_.erase(name); }
  bool active(const std::string& name) const { return timers_.contains(name); }

  // When the next timer elapses, in nanoseconds since 1970.
  std::optional<long long> due() const;
  // Starts the services of the elapsed timers. Call it also when a service has ended.
  void wake();

  std::string status(const std::string& name) const;  // of `systemctl status`, from "Active:" on
  std::string list() const;                           // of `systemctl list-timers`

 private:
  struct Timer {
    UnitFile file;
    std::string service;
    std::vector<Calendar> calendars;
    long long started = 0, booted = 0, triggered = 0;
    bool first = true;     // it has not elapsed yet
    bool running = false;  // its service does
    std::optional<long long> due;
  };
  void plan(Timer& timer) const;
  std::optional<long long> due_by(const Timer& timer, const TimerRule& rule) const;

  Start start_;
  Look look_;
  std::map<std::string, Timer> timers_;
};

}  // namespace sim::guest::services
