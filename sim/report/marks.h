// The marks of a report: instants of the log that the page shows on a lane, each with a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/events/event.h"
#include "sim/events/listeners.h"
#include "sim/report/axis.h"
#include "sim/report/log_lines.h"

namespace sim::report {

struct Mark {
  std::string_view kind;  // "notice", "call" and so on (see docs/report.md)
  std::string lane;       // ID of an instance, a volume or a group; "operator"; or empty
  Time at{};
  std::string text;  // the text that the page shows
  LineNumber line = 0;
};

// The JSON of docs/report.schema.json.
Json to_json(const Mark& mark, const Axis& axis);

// A row of the table that converts events into marks.
struct MarkRow {
  events::Kind event;
  std::string_view mark;  // the kind of the mark
  std::string_view lane;  // the field that names the lane; empty: none
  std::string_view text;  // with fields in braces: "{service} {action}"
};
const std::vector<MarkRow>& mark_rows();

// Adds a mark to `marks` for each event that the table has. `line` is the number of the event's
// line while the listeners are called. All must outlive the listeners.
void listen_for_marks(events::Listeners& log, const LineNumber& line, std::vector<Mark>& marks);

// The field as text; empty where it is missing or null.
std::string field_text(const events::AnyEvent& event, std::string_view name);
// The text with fields of the event in place of "{field}". A field that is missing is empty.
std::string filled(std::string_view text, const events::AnyEvent& event);

}  // namespace sim::report
