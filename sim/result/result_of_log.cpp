#include "sim/result/result_of_log.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "sim/events/read.h"
#include "sim/result/metrics.h"

namespace sim::run {

void ResultOfLog::listen(events::Listeners& log) {
  teller_.listen(log);
  outcome_.listen(log);
  invariants_.listen(log);
}

Result ResultOfLog::result() {
  Result result = compute(teller_.story());
  result.invariants = invariants_.verdicts(teller_.story(), result);
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
  if (listener.story().outcome.empty())
    throw std::runtime_error(
        fmt::format("{}:{}: the log ends, expected a last line of the event run.end: the run was "
                    "cut short, or still writes",
                    file.string(), number));
  return listener.result();
}

}  // namespace sim::run
