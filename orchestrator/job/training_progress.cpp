#include "orchestrator/job/training_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time/duration.h"
#include "orchestrator/job/tags.h"

namespace spotrun {
namespace {

constexpr Duration kPatience{5'000};

std::string seconds_text(Duration duration) {
  return fmt::format("{}.{:03}s", duration.count() / 1000, duration.count() % 1000);
}

}  // namespace

Progress read_progress(const aws::Volume& volume) {
  Progress progress;
  const std::string_view prefix = tags::kTrained;
  for (const auto& [key, value] : volume.tags) {
    if (!key.starts_with(prefix)) continue;
    if (const auto trained = base::parse_positive_duration(value))
      progress.trained[key.substr(prefix.size())] = std::chrono::floor<Duration>(*trained);
  }
  const std::string now = volume.tag(tags::kTrainsSince);
  const auto space = now.find(' ');
  if (space == now.npos) return progress;
  if (const auto since = parse_iso_time(now.substr(0, space))) {
    progress.trains_on = now.substr(space + 1);
    progress.since = *since;
  }
  return progress;
}

void take_back_progress(aws::Tags& tags, Time data) {
  if (const auto since = tags.find(tags::kTrainsSince); since != tags.end()) since->second.clear();
  const auto last = tags.find(tags::kSaved);
  if (last == tags.end()) return;
  const auto saved = parse_iso_time(last->second);
  if (!saved || *saved <= data) return;
  for (auto& [key, value] : tags) {
    if (!key.starts_with(tags::kTrained)) continue;
    const auto trained = base::parse_positive_duration(value).value_or(std::chrono::nanoseconds{});
    value = seconds_text(
        std::max(std::chrono::floor<Duration>(trained) - (*saved - data), Duration::zero()));
  }
  last->second = iso_time(data);
}

ProgressNotes::ProgressNotes(const Context& context, const aws::Volume& volume,
                             const client::Identity& self)
    : context_(context), self_(self) {
  if (volume.tag(tags::kStrategySince).empty()) return;
  volume_id_ = volume.id;
  trained_ = read_progress(volume).trained[self.instance_type];
}

void ProgressNotes::begins() {
  begin_ = context_.clock.now();
  write({{tags::kTrainsSince, iso_time(begin_) + " " + self_.instance_id}});
}

void ProgressNotes::saved() {
  trained_ += context_.clock.now() - begin_;
  write({{tags::kTrainsSince, ""},
         {tags::kSaved, iso_time(context_.clock.now())},
         {tags::kTrained + self_.instance_type, seconds_text(trained_)}});
}

void ProgressNotes::write(const aws::Tags& tags) {
  if (volume_id_.empty()) return;
  try {
    context_.ec2.create_tags(volume_id_, tags, context_.clock.now() + kPatience);
  } catch (const aws::ApiError& error) {
    context_.log.say(error.what());
  }
}

}  // namespace spotrun
