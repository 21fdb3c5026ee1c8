#include "sim/report/perfetto.h"

#include <map>
#include <string>
#include <utility>

namespace sim::report {
namespace {

double microseconds(const Json& second) { return second.get<double>() * 1e6; }

class TraceEvents {
 public:
  void lane(const Json& lane) {
    const std::string pool = lane["pool"].is_null() ? "" : lane["pool"].get<std::string>();
    const int process = process_of(pool.empty() ? "operator, groups and jobs"
                                                : "zone " + pool.substr(pool.find('/') + 1));
    const Track place{process, ++threads_};
    places_[lane["id"]] = place;
    name("thread_name", place,
         lane["name"].get<std::string>() + " " + lane["id"].get<std::string>());
    for (const Json& span : lane["spans"]) {
      Json& event = add("X", span["what"], place, microseconds(span["from"]));
      event["dur"] = microseconds(span["to"]) - microseconds(span["from"]);
      event["args"] = {{"lines", span["lines"]}};
    }
  }
  void mark(const Json& mark, const Json& lines) {
    const auto lane = mark["lane"].is_null() ? places_.end() : places_.find(mark["lane"]);
    const Track place = lane == places_.end() ? Track{process_of("scenario"), 0} : lane->second;
    Json& event = add("i", mark["text"], place, microseconds(mark["at"]));
    event["cat"] = mark["kind"];
    event["s"] = "t";
    event["args"] = {{"line", lines.value(std::to_string(mark["line"].get<int>()), "")}};
  }
  // Adds a counter. `pairs` are times and values; pairs whose value is null are omitted.
  void counter(const std::string& process, const std::string& of, const Json& pairs) {
    const Track place{process_of(process), 0};
    for (const Json& pair : pairs)
      if (!pair[1].is_null())
        add("C", of, place, microseconds(pair[0]))["args"] = {{"value", pair[1]}};
  }
  Json take() { return std::move(events_); }

 private:
  struct Track {
    int process = 0, thread = 0;
  };

  Json& add(const char* phase, const Json& called, Track place, double at) {
    events_.push_back({{"ph", phase},
                       {"name", called},
                       {"pid", place.process},
                       {"tid", place.thread},
                       {"ts", at}});
    return events_.back();
  }
  void name(const char* what, Track place, const std::string& called) {
    add("M", what, place, 0)["args"] = {{"name", called}};
  }
  int process_of(const std::string& called) {
    const auto [process, is_new] = processes_.emplace(called, processes_.size() + 1);
    if (is_new) name("process_name", {process->second, 0}, called);
    return process->second;
  }

  Json events_ = Json::array();
  std::map<std::string, int> processes_;
  std::map<std::string, Track> places_;
  int threads_ = 0;
};

}  // namespace

Json trace_events(const Json& report) {
  TraceEvents events;
  for (const Json& lane : report["lanes"]) events.lane(lane);
  for (const Json& mark : report["marks"]) events.mark(mark, report["lines"]);
  for (const Json& pool : report["pools"]) {
    const std::string name = pool["pool"];
    events.counter("spot price", name + ", dollars an hour", pool["prices"]);
    events.counter("capacity", name, pool["capacity"]);
  }
  for (const Json& piece : report["training"]) {
    events.counter("training", "step", piece["steps"]);
    events.counter("training", "loss", piece["loss"]);
  }
  return {{"displayTimeUnit", "ms"},
          {"otherData",
           {{"scenario", report["result"]["scenario"]}, {"begin", report["time"]["begin"]}}},
          {"traceEvents", events.take()}};
}

}  // namespace sim::report
