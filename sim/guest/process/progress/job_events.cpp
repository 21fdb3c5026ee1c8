#include "sim/guest/process/progress/job_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/json/json_text.h"
#include "base/text/nearest.h"
#include "sim/events/read.h"

namespace sim::guest {
namespace {

constexpr std::size_t kLongestLine = 4096;  // PIPE_BUF: longer ones could be torn

// A word as a part of an event's name.
bool is_word(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

constexpr std::string_view kTrainer = "trainer.";

std::string meant(const std::string& word, const std::set<std::string>& words) {
  const auto nearest = base::nearest(word, words);
  return nearest ? fmt::format(" (probably \"{}\")", *nearest) : "";
}

std::string objection_to_trainers(const std::string& event, const Json& line) {
  const events::Kind kind = events::find_kind(std::string(kTrainer) + event);
  if (kind == events::Kind::kOther) {
    std::set<std::string> names;
    for (const std::string_view name : events::kNames)
      if (name.starts_with(kTrainer)) names.emplace(name.substr(kTrainer.size()));
    return fmt::format("found the event \"{}\"{}, expected one of {}", event, meant(event, names),
                       fmt::join(names, ", "));
  }
  const bool must = events::kNeedsStep[static_cast<std::size_t>(kind)];
  const auto step = line.find("step");
  if (step == line.end() ? must : !step->is_number_integer())
    return fmt::format("found {} in \"step\", expected a whole number",
                       step == line.end() ? "nothing" : step->dump());
  return "";
}

// Why the line is no progress line; empty: it is one.
std::string objection_to(const Json& line) {
  if (!line.is_object()) return "expected a JSON object on one line";
  for (const char* key : {"source", "event"})
    if (!line.contains(key) || !is_word(line[key]))
      return fmt::format("expected a word (a-z, 0-9, - and _) in \"{}\"", key);
  const auto source = line["source"].get<std::string>(), event = line["event"].get<std::string>();
  if (events::is_own_source(source))
    return fmt::format("found the source \"{}\", which is the simulator's own", source);
  if (source == "trainer") return objection_to_trainers(event, line);
  // A program may have a source of its own, but hardly one that is nearly the trainer's.
  if (base::nearest(source, {"trainer"}) && objection_to_trainers(event, line).empty())
    return fmt::format("found the source \"{}\", expected \"trainer\" for the event \"{}\"", source,
                       event);
  return "";
}

// What is not a guest's to say.
constexpr std::array<std::string_view, 5> kNotTheirs{"source", "event", "time", "instance_id",
                                                     "disk"};

}  // namespace

std::string JobEvents::disk_named_in(const Json& line) const {
  if (!disk_of_) return "";
  std::string path = base::text_of(line, "path");
  if (path.empty()) path = base::text_of(line, "folder");
  return path.starts_with('/') ? disk_of_(path) : "";
}

bool JobEvents::drain(Time now, EventLog& log) {
  std::array<char, 65536> part;
  bool any = false;
  for (ssize_t n; (n = read(fifo_.get(), part.data(), part.size())) > 0;) {
    any = true;
    if (is_full(now, log, n)) continue;
    rest_.append(part.data(), static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (end > begin) append(now, log, rest_.substr(begin, end - begin));
    rest_.erase(0, begin);
    if (rest_.size() > kLongestLine) {
      append(now, log, rest_);
      rest_.clear();
    }
  }
  return any;
}

// Says so once.
bool JobEvents::is_full(Time now, EventLog& log, std::int64_t more) {
  const bool was = taken_ > most_;
  taken_ += more;
  if (!was && taken_ > most_)
    log.append(events::GuestOutputFull{
        .time = now, .machine = machine_, .output = "job-events", .kept_bytes = most_});
  return taken_ > most_;
}

void JobEvents::append(Time now, EventLog& log, const std::string& line) const {
  Json fields = Json::object();
  fields["instance_id"] = machine_;
  const Json parsed = Json::parse(line, nullptr, false);
  const std::string why = line.size() > kLongestLine
                              ? fmt::format("expected {} bytes at most", kLongestLine)
                              : objection_to(parsed);
  if (!why.empty()) {
    const std::string begins = events::as_utf8(line.substr(0, 200)), reason = events::as_utf8(why);
    log.append(
        events::GuestBadEvent{.time = now, .instance_id = machine_, .line = begins, .why = reason});
    return;
  }
  for (const auto& [key, value] : parsed.items())
    if (std::ranges::find(kNotTheirs, key) == kNotTheirs.end()) fields[key] = value;
  const std::string source = parsed["source"].get<std::string>();
  if (source == "trainer")
    if (const std::string disk = disk_named_in(parsed); !disk.empty()) fields["disk"] = disk;
  const std::string event = parsed["event"].get<std::string>();
  log.append(now, source + "." + event, fields);
  if (source != "trainer" || !saved_) return;
  if (event != "checkpoint-durable" && event != "checkpoint-written") return;
  if (const std::string path = base::text_of(parsed, "path"); path.starts_with('/'))
    saved_(path, parsed["step"].get<std::int64_t>());
}

}  // namespace sim::guest
