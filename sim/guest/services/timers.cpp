#include "sim/guest/services/timers.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "sim/guest/services/clock.h"

namespace sim::guest::services {
namespace {

constexpr long long kSecond = 1000000000;

// "Tue 2019-11-05 10:00:00 UTC"
std::string shown(long long time) {
  const time_t seconds = time / kSecond;
  tm local{};
  tzset();
  localtime_r(&seconds, &local);
  char text[64];
  return {text, strftime(text, sizeof text, "%a %Y-%m-%d %H:%M:%S %Z", &local)};
}

// "1h 2min", "42s"
std::string span(long long nanoseconds) {
  const long long seconds = std::max(nanoseconds / kSecond, 0LL);
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}min {}s", seconds / 60, seconds % 60);
  if (seconds < 86400) return fmt::format("{}h {}min", seconds / 3600, seconds / 60 % 60);
  return fmt::format("{} days", seconds / 86400);
}

}  // namespace

void Timers::start(const std::string& name, UnitFile file) {
  Timer timer{.file = std::move(file), .started = now()};
  timer.service = timer.file.timer_unit.empty() ? name.substr(0, name.rfind('.')) + ".service"
                                                : timer.file.timer_unit;
  for (const TimerRule& rule : timer.file.timer_rules)
    if (rule.calendar) timer.calendars.push_back(*rule.calendar);
  timer.booted = timer.started - uptime();
  plan(timer);
  timers_.insert_or_assign(name, std::move(timer));
}

std::optional<long long> Timers::due_by(const Timer& timer, const TimerRule& rule) const {
  const ServiceTimes service = look_(timer.service);
  long long base = 0;
  switch (rule.base) {
    case TimerRule::kCalendar: {
      const auto next = rule.calendar->next(std::max(timer.triggered, timer.started) / kSecond);
      return next ? std::optional(*next * kSecond) : std::nullopt;
    }
    case TimerRule::kActive:
      base = timer.started;
      break;
    case TimerRule::kBoot:
      base = timer.booted;
      break;
    case TimerRule::kUnitActive:
      base = std::max(service.activated, timer.triggered);
      break;
    case TimerRule::kUnitInactive:
      base = std::max(service.deactivated, timer.triggered);
      break;
  }
  if (base == 0) return {};
  const bool again = rule.base == TimerRule::kUnitActive || rule.base == TimerRule::kUnitInactive;
  const long long after = rule.after.count();
  const long long at = base + (again ? std::max(after, kSecond) : after);
  // These two rules elapse once, at the timer's start even if their time has passed.
  const bool once = rule.base == TimerRule::kActive || rule.base == TimerRule::kBoot;
  if (once && !timer.first && at <= timer.triggered) return {};
  return at;
}

void Timers::plan(Timer& timer) const {
  timer.due.reset();
  for (const TimerRule& rule : timer.file.timer_rules)
    if (const auto at = due_by(timer, rule)) timer.due = std::min(timer.due.value_or(*at), *at);
}

std::optional<long long> Timers::due() const {
  std::optional<long long> out;
  for (const auto& [name, timer] : timers_)
    if (timer.due && !timer.running) out = std::min(out.value_or(*timer.due), *timer.due);
  return out;
}

void Timers::wake() {
  for (auto& [name, timer] : timers_) {
    if (timer.running && !look_(timer.service).busy) timer.running = false;
    if (!timer.running) plan(timer);  // another caller may have started its service
    if (timer.running || !timer.due || *timer.due > now()) continue;
    timer.first = false;
    timer.triggered = now();
    start_(timer.service);
    timer.running = look_(timer.service).busy;
    if (!timer.running) plan(timer);
  }
}

std::string Timers::status(const std::string& name) const {
  const auto at = timers_.find(name);
  if (at == timers_.end()) return "     Active: inactive (dead)";
  const Timer& timer = at->second;
  const char* state = timer.running ? "running" : timer.due ? "waiting" : "elapsed";
  return fmt::format("     Active: active ({})\n    Trigger: {}\n   Triggers: ● {}", state,
                     timer.due && !timer.running
                         ? shown(*timer.due) + "; " + span(*timer.due - now()) + " left"
                         : "n/a",
                     timer.service);
}

std::string Timers::list() const {
  std::string out = "NEXT LEFT LAST PASSED UNIT ACTIVATES";
  for (const auto& [name, timer] : timers_) {
    const bool waits = timer.due && !timer.running;
    out += fmt::format("\n{} {} {} {} {} {}", waits ? shown(*timer.due) : "n/a",
                       waits ? span(*timer.due - now()) + " left" : "n/a",
                       timer.triggered != 0 ? shown(timer.triggered) : "n/a",
                       timer.triggered != 0 ? span(now() - timer.triggered) + " ago" : "n/a", name,
                       timer.service);
  }
  return out + fmt::format("\n\n{} timers listed.", timers_.size());
}

}  // namespace sim::guest::services
