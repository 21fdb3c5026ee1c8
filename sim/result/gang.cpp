#include "sim/result/gang.h"

#include <algorithm>

namespace sim::run {
namespace {

bool are_a_gang(const InstanceStory& a, const InstanceStory& b) {
  return !a.managed_by.empty() && a.managed_by == b.managed_by && a.launched_at == b.launched_at &&
         a.type == b.type;
}

}  // namespace

const InstanceStory& heard_for(const Story& story, std::size_t place) {
  const InstanceStory& own = story.instances[place];
  if (!own.trainer.empty() || own.managed_by.empty()) return own;
  const auto reports = [&](const InstanceStory& other) {
    return !other.trainer.empty() && are_a_gang(own, other);
  };
  const auto found = std::ranges::find_if(story.instances, reports);
  return found == story.instances.end() ? own : *found;
}

bool follows_in_gang(const Story& story, std::size_t place) {
  if (story.instances[place].managed_by.empty()) return false;
  const auto end = story.instances.begin() + static_cast<std::ptrdiff_t>(place);
  return std::any_of(story.instances.begin(), end, [&](const InstanceStory& other) {
    return are_a_gang(story.instances[place], other);
  });
}

bool is_restart(const Story& story, std::size_t place) {
  const InstanceStory& attempt = story.instances[place];
  const auto lost_by_then = [&](const std::optional<Time>& at) {
    return at && *at <= attempt.launched_at;
  };
  const auto end = story.instances.begin() + static_cast<std::ptrdiff_t>(place);
  if (std::any_of(story.instances.begin(), end, [&](const InstanceStory& other) {
        return other.attempt() &&
               (lost_by_then(other.notice_at) || lost_by_then(other.billed_until()));
      }))
    return true;
  const auto& lines = heard_for(story, place).trainer;
  return !lines.empty() && lines.front().event == TrainerEvent::kStart && lines.front().step > 0 &&
         std::any_of(story.instances.begin(), end,
                     [](const InstanceStory& other) { return other.attempt(); });
}

}  // namespace sim::run
