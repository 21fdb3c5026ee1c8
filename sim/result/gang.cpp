#include "sim/result/gang.h"

#include <algorithm>

namespace sim::result {
namespace {

bool are_a_gang(const History::Instance& a, const History::Instance& b) {
  return !a.managed_by.empty() && a.managed_by == b.managed_by && a.launched_at == b.launched_at &&
         a.type == b.type;
}

}  // namespace

const History::Instance& heard_for(const History& history, std::size_t place) {
  const History::Instance& own = history.instances[place];
  if (!own.trainer.empty() || own.managed_by.empty()) return own;
  const auto reports = [&](const History::Instance& other) {
    return !other.trainer.empty() && are_a_gang(own, other);
  };
  const auto found = std::ranges::find_if(history.instances, reports);
  return found == history.instances.end() ? own : *found;
}

bool follows_in_gang(const History& history, std::size_t place) {
  if (history.instances[place].managed_by.empty()) return false;
  const auto end = history.instances.begin() + static_cast<std::ptrdiff_t>(place);
  return std::any_of(history.instances.begin(), end, [&](const History::Instance& other) {
    return are_a_gang(history.instances[place], other);
  });
}

bool is_restart(const History& history, std::size_t place) {
  const History::Instance& attempt = history.instances[place];
  const auto lost_by_then = [&](const std::optional<Time>& at) {
    return at && *at <= attempt.launched_at;
  };
  const auto end = history.instances.begin() + static_cast<std::ptrdiff_t>(place);
  if (std::any_of(history.instances.begin(), end, [&](const History::Instance& other) {
        return other.attempt() &&
               (lost_by_then(other.notice_at) || lost_by_then(other.billed_until()));
      }))
    return true;
  const auto& lines = heard_for(history, place).trainer;
  return !lines.empty() && lines.front().event == TrainerEvent::kStart && lines.front().step > 0 &&
         std::any_of(history.instances.begin(), end,
                     [](const History::Instance& other) { return other.attempt(); });
}

}  // namespace sim::result
