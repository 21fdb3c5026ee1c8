#include "sim/guest/process/job_events.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/json_text.h"
#include "sim/kernel/event.h"

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

// The first words of the simulator's own events: what a guest says must not pass for what happened.
bool is_ours(const std::string& source) {
  constexpr std::string_view kOurs[]{
      "api",      "attachment",   "bucket", "capacity", "charge",    "control",
      "fault",    "fleet",        "guest",  "imds",     "instance",  "launch-template",
      "network",  "object",       "price",  "run",      "sagemaker", "scenario",
      "snapshot", "spot-request", "tags",   "upload",   "volume"};
  return std::ranges::find(kOurs, source) != std::end(kOurs);
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
    log.append(now, "guest.output-full",
               {{"machine", machine_}, {"output", "job-events"}, {"kept_bytes", most_}});
  return taken_ > most_;
}

void JobEvents::append(Time now, EventLog& log, const std::string& line) const {
  Json fields = Json::object();
  fields["instance_id"] = machine_;
  const Json parsed = Json::parse(line, nullptr, false);
  if (line.size() > kLongestLine || !parsed.is_object() || !parsed.contains("source") ||
      !parsed.contains("event") || !is_word(parsed["source"]) || !is_word(parsed["event"]) ||
      is_ours(parsed["source"].get_ref<const std::string&>())) {
    fields["line"] = line.substr(0, 200);
    // A line may hold any bytes; the log holds UTF-8.
    fields["line"] =
        Json::parse(fields.dump(-1, ' ', true, Json::error_handler_t::replace))["line"];
    log.append(now, "guest.bad-event", std::move(fields));
    return;
  }
  for (const auto& [key, value] : parsed.items())
    if (std::ranges::find(kNotTheirs, key) == kNotTheirs.end()) fields[key] = value;
  const std::string source = parsed["source"].get<std::string>();
  if (source == "trainer")
    if (const std::string disk = disk_named_in(parsed); !disk.empty()) fields["disk"] = disk;
  log.append(now, source + "." + parsed["event"].get<std::string>(), fields);
}

}  // namespace sim::guest
