#include "sim/result/result_of_log.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/events/read.h"
#include "sim/result/metrics.h"

namespace sim::result {

void ResultOfLog::listen(events::Listeners& log) {
  log.on_all([this](const events::AnyEvent& event, std::string_view) {
    if (!std::exchange(begun_, true) && event.kind() != events::Kind::kRunStart)
      throw std::runtime_error("the log does not begin with run.start");
  });
  builder_.listen(log);
  outcome_.listen(log);
  invariants_.listen(log);
}

Result ResultOfLog::result() {
  Result result = compute(history());
  result.invariants = invariants_.verdicts(history(), result);
  return result;
}

Result result_of(std::span<const Event> events, const InvariantRules& rules) {
  if (events.empty()) throw std::runtime_error("the log does not begin with run.start");
  events::Listeners log;
  ResultOfLog listener(rules);
  listener.listen(log);
  for (const Event& event : events) events::tell(log, event);
  return listener.result();
}

Result result_of(const std::filesystem::path& file, const InvariantRules& rules) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + ": cannot be read, expected a run's log");
  events::Listeners log;
  ResultOfLog listener(rules);
  listener.listen(log);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      events::tell(log, parse_event(line));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
  if (listener.history().outcome.empty())
    throw std::runtime_error(
        fmt::format("{}:{}: the log ends, expected a last line of the event run.end: the run was "
                    "cut short, or is still writing",
                    file.string(), number));
  return listener.result();
}

}  // namespace sim::result
