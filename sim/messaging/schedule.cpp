#include "sim/messaging/schedule.h"

#include <cstdio>
#include <string_view>

#include "sim/cloud/error.h"

namespace sim::messaging {

std::optional<Time> next_event(const Schedule& schedule, Time now) {
  if (const auto* const period = std::get_if<Duration>(&schedule)) return now + *period;
  return std::get<Cron>(schedule).next_after(now);
}

Schedule parse_schedule(const std::string& text) {
  if (text.starts_with("cron(") && text.ends_with(')'))
    if (const auto cron = Cron::parse(std::string_view(text).substr(5, text.size() - 6)))
      return *cron;
  struct Unit {
    std::string_view one;
    Duration length;
  };
  constexpr Unit kUnits[] = {{"minute", std::chrono::minutes{1}},
                             {"hour", std::chrono::hours{1}},
                             {"day", std::chrono::hours{24}}};
  int count = 0, end = 0;
  char unit[8] = {};
  const bool read = std::sscanf(text.c_str(), "rate(%6d %7[a-z])%n", &count, unit, &end) == 2;
  if (read && count > 0 && static_cast<std::size_t>(end) == text.size())
    for (const Unit& row : kUnits)
      if (std::string(row.one) + (count > 1 ? "s" : "") == unit) return count * row.length;
  throw cloud::ApiError("ValidationException", "Parameter ScheduleExpression is not valid.");
}

}  // namespace sim::messaging
