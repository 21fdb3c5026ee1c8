#include "sim/report/live_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sim::report {

LiveReport::LiveReport(events::Listeners& log, const result::History& history) : history_(history) {
  log.on_all([this](const events::AnyEvent& event, std::string_view line) {
    offsets_.push_back(offsets_.back() + line.size() + 1);
    ++line_;
    if (event.name().starts_with("trainer.")) last_of_trainers_ = line_;
  });
  lanes_.listen(log, line_, marks_);
  market_.listen(log, line_);
  curve_.listen(log);
  listen_for_marks(log, line_, marks_);
  log.on<events::InstanceState>([this](const events::InstanceState& event) {
    if (event.from.empty())
      used_.emplace(fmt::format("{}/{}", event.instance_type, event.availability_zone), line_);
  });
}

Json LiveReport::since(LineNumber after, Time now, const LineAt& line_at) const {
  const Axis axis{history_.header.start, now};
  std::set<LineNumber> cited;
  Json lanes = Json::array(), marks = Json::array(), lines = Json::object();
  const auto of_operator = std::ranges::find(marks_, "operator", &Mark::lane);
  if (of_operator != marks_.end() && of_operator->line > after)
    lanes.push_back(
        to_json({.kind = "operator", .id = "operator", .name = "operator", .pool = ""}, axis));
  for (const Lane& lane : lanes_.since(after, history_, axis)) {
    lanes.push_back(to_json(lane, axis));
    if (lane.open) lanes.back()["open"] = true;
    for (const Span& span : lane.spans) cited.insert(span.lines.begin(), span.lines.end());
  }
  for (auto mark = std::ranges::upper_bound(marks_, after, {}, &Mark::line); mark != marks_.end();
       ++mark) {
    marks.push_back(to_json(*mark, axis));
    cited.insert(mark->line);
  }
  for (const LineNumber number : cited) {
    const std::uint64_t begin = offsets_[number - 1], end = offsets_[number] - 1;
    lines[std::to_string(number)] = line_at(begin, end - begin);
  }
  Json changed{{"lanes", lanes}, {"marks", marks}, {"pools", market_.since(after, used_, axis)}};
  if (last_of_trainers_ > after) changed["training"] = curve_.all(history_, axis);
  changed["lines"] = lines;
  return changed;
}

}  // namespace sim::report
