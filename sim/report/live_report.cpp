#include "sim/report/live_report.h"

#include <algorithm>
#include <set>

namespace sim::report {

LiveReport::LiveReport(events::Listeners& log, const result::History& history) : history_(history) {
  log.on_all([this](const events::AnyEvent& event, std::string_view line) {
    offsets_.push_back(offsets_.back() + line.size() + 1);
    take(to_event(event));
  });
}

void LiveReport::take(const Event& event) {
  const LineNumber line = lines();
  const std::size_t marks = marks_.size(), hops = lanes_.hops().size();
  lanes_.take(event, line);
  pools_.take(event, line);
  curve_.take(event);
  add_mark(event, line, marks_);
  if (marks_.size() > marks && marks_.back().lane == "operator" && first_of_operator_ == 0)
    first_of_operator_ = line;
  if (lanes_.hops().size() > hops) marks_.push_back(lanes_.hops().back());
  if (event.kind.starts_with("trainer.")) last_of_trainers_ = line;
  if (event.kind == "instance.state" && field_text(event.fields, "from").empty())
    used_.emplace(field_text(event.fields, "instance_type") + "/" +
                      field_text(event.fields, "availability_zone"),
                  line);
}

Json LiveReport::since(LineNumber after, Time now, const LineAt& line_at) const {
  const Axis axis{history_.header.start, now};
  std::set<LineNumber> cited;
  Json lanes = Json::array(), marks = Json::array(), lines = Json::object();
  if (first_of_operator_ > after)
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
  Json changed{{"lanes", lanes}, {"marks", marks}, {"pools", pools_.since(after, used_, axis)}};
  if (last_of_trainers_ > after) changed["training"] = curve_.all(history_, axis);
  changed["lines"] = lines;
  return changed;
}

}  // namespace sim::report
