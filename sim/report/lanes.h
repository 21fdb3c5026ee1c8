// The lanes of a report: one for each instance, volume and group, with the spans of its states.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/report/axis.h"
#include "sim/report/log_lines.h"
#include "sim/report/marks.h"
#include "sim/result/history.h"
#include "sim/result/training.h"

namespace sim::report {

struct Span {
  std::string what;  // a state such as "stopped", or a column of the time ledger
  Time from, to;
  std::vector<LineNumber> lines;  // log lines of the span's begin and end
};

struct Lane {
  std::string_view kind;  // "operator", "instance", "volume" or "group"
  std::string id;
  std::string name;  // the name that the page shows
  std::string pool;  // an instance's "p3.2xlarge/us-west-2b", a volume's zone, or empty
  std::vector<Span> spans = {};
  bool open = false;  // the last span has not ended
};
// The JSON of docs/report.schema.json.
Json to_json(const Lane& lane, const Axis& axis);

struct StateRow;

// Collects the lanes of all resources in a log. run_report() calls all() once at the end;
// LiveReport calls since() for each update.
class Lanes {
 public:
  // `line` is the number of the event's line while the listeners are called. A mark is added for
  // each hop: a volume that is made of a snapshot of a volume in another zone. All must outlive
  // this.
  void listen(events::Listeners& log, const LineNumber& line, std::vector<Mark>& marks);
  // All lanes. `history` must be built from the same log.
  std::vector<Lane> all(const result::History& history, const std::vector<Mark>& marks,
                        const Axis& axis) const;
  // The lanes of instances, volumes and groups that changed after line `after`.
  std::vector<Lane> since(LineNumber after, const result::History& history, const Axis& axis) const;

 private:
  struct State {
    std::string text;
    Time at;
    LineNumber line;
    bool over;  // the last state
  };
  struct Resource {
    std::string_view kind;
    std::string id, zone;
    std::vector<State> states;
    LineNumber last = 0;  // the last line that changed it
  };
  using Lines = std::vector<std::pair<Time, LineNumber>>;

  Resource& resource(std::string_view kind, const std::string& id);
  void name_changes(std::string_view id, LineNumber line);
  void state_changes(const StateRow& row, const events::AnyEvent& event, LineNumber line);
  void look_for_hop(const events::VolumeState& event, LineNumber line, std::vector<Mark>& marks);
  std::vector<LineNumber> lines_at(const std::string& instance, const result::TimeSpan& span) const;
  Lane instance_lane(const result::History::Instance& instance, const result::InstanceTime& time,
                     const Axis& axis) const;
  void add_stop(const result::History::Instance& instance, Time to, Lane& lane) const;
  Lane resource_lane(const Resource& of, const result::History& history, const Axis& axis) const;
  bool has_changed(const result::History::Instance& instance, LineNumber after) const;

  std::vector<Resource> resources_;            // in the order of their first lines
  std::map<std::string, std::size_t> places_;  // by kind and ID
  std::map<std::string, Lines> lines_;         // of instances, by ID
  LineNumber last_of_trainers_ = 0;
  std::map<std::string, std::string> volume_of_snapshot_;
};

}  // namespace sim::report
