#include "sim/report/run_report.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/events/read.h"
#include "sim/report/axis.h"
#include "sim/report/curve.h"
#include "sim/report/lanes.h"
#include "sim/report/log_lines.h"
#include "sim/report/market_history.h"
#include "sim/report/marks.h"
#include "sim/result/history_builder.h"

namespace sim::report {
namespace {

namespace fs = std::filesystem;

Json read_result(const fs::path& file) {
  std::ifstream in(file);
  Json result = Json::parse(in, nullptr, false);
  if (!result.is_object())
    throw std::runtime_error(
        fmt::format("{}: {}, expected the result.json that `spotsim run` writes", file.string(),
                    in.is_open() ? "found no JSON object" : "cannot be read"));
  return result;
}

// The first line of a file that `spotsim run` writes, or an empty text if the file is missing.
std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// The log lines that the verdicts of the result quote, with their numbers (0 until found).
std::map<std::string, LineNumber, std::less<>> shown_lines(const Json& result) {
  std::map<std::string, LineNumber, std::less<>> shown;
  for (const char* list : {"expectations", "invariants"})
    for (const Json& verdict : result.value(list, Json::array()))
      for (const Json& line : verdict.value("lines", Json::array()))
        shown.emplace(line.get<std::string>(), 0);
  return shown;
}

// Reads the log once and keeps what a report needs.
class Reading {
 public:
  Reading(const fs::path& log, const Json& result) : log_(log), shown_(shown_lines(result)) {
    events::Listeners listeners;
    LineNumber present = 0;
    builder_.listen(listeners);
    lanes_.listen(listeners, present, marks_);
    market_.listen(listeners, present);
    curve_.listen(listeners);
    listen_for_marks(listeners, present, marks_);
    read_log(log, [&](const Event& event, LineNumber number, std::string_view text) {
      present = number;
      events::tell(listeners, event);
      if (const auto line = shown_.find(text); line != shown_.end()) line->second = number;
    });
    if (builder_.history().outcome.empty())
      throw std::runtime_error(log.string() +
                               ": found no line run.end: the run was cut short, or is still in "
                               "progress; expected the log of a finished run");
  }

  Json lanes();
  Json marks();
  Json pools() const;
  Json curve() const { return curve_.all(builder_.history(), axis()); }
  // The texts of the lines that lanes, marks and verdicts refer to, by number.
  Json lines();
  Json time() const {
    return {{"begin", iso_milliseconds(axis().begin)}, {"seconds", axis().length()}};
  }

 private:
  Axis axis() const { return {builder_.history().header.start, builder_.history().end}; }

  fs::path log_;
  std::map<std::string, LineNumber, std::less<>> shown_;
  result::HistoryBuilder builder_;
  Lanes lanes_;
  MarketHistory market_;
  Curve curve_;
  std::vector<Mark> marks_;
  std::set<LineNumber> numbers_;
};

Json Reading::lanes() {
  Json array = Json::array();
  for (const Lane& lane : lanes_.all(builder_.history(), marks_, axis())) {
    for (const Span& span : lane.spans) numbers_.insert(span.lines.begin(), span.lines.end());
    array.push_back(to_json(lane, axis()));
  }
  return array;
}

Json Reading::marks() {
  Json array = Json::array();
  for (const Mark& mark : marks_) {
    numbers_.insert(mark.line);
    array.push_back(to_json(mark, axis()));
  }
  return array;
}

Json Reading::pools() const {
  std::vector<std::string> used;
  for (const result::History::Instance& instance : builder_.history().instances)
    used.push_back(instance.type + "/" + instance.zone);
  return market_.all(used, axis());
}

Json Reading::lines() {
  for (const auto& [text, number] : shown_)
    if (number > 0) numbers_.insert(number);
  Json all = Json::object();
  for (const auto& [number, text] : lines_of(log_, numbers_)) all[std::to_string(number)] = text;
  return all;
}

}  // namespace

Json run_report(const fs::path& run) {
  const Json result = read_result(run / "result.json");
  Reading reading(run / "events.jsonl", result);
  const std::string command = first_line(run / "command.txt");
  Json report{{"schema", kSchema}, {"kind", "run"}, {"time", reading.time()}, {"result", result}};
  report["command"] = command.empty() ? Json(nullptr) : Json(command);
  report["lanes"] = reading.lanes();
  report["marks"] = reading.marks();
  report["pools"] = reading.pools();
  report["training"] = reading.curve();
  report["lines"] = reading.lines();
  return report;
}

}  // namespace sim::report
