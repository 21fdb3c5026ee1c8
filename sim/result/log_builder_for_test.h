// Event logs written by hand, for the tests of the metrics.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/events/event.h"
#include "sim/events/event_log.h"
#include "sim/market/usd.h"

namespace sim::result {

inline const Time kLogStart = *parse_time("2019-11-05T10:00:00Z");

// Times are from the log's start. Instances are spot p3.2xlarge at $0.918 an hour unless stated.
class LogBuilder {
 public:
  LogBuilder& add(Duration at, const std::string& kind, Json fields) {
    events_.push_back({kLogStart + at, kind, std::move(fields)});
    return *this;
  }
  LogBuilder& start() {
    return add({}, "run.start",
               {{"scenario", "by-hand"},
                {"seed", 7},
                {"guest", "process"},
                {"level", "plain"},
                {"lockstep", true},
                {"job_volume_tag", "job"},
                {"step_seconds", {{"p3.2xlarge", 10.0}}},
                {"baseline_instance_type", "p3.2xlarge"},
                {"baseline_price", "3.06"},
                {"assumptions", {"written by hand"}}});
  }
  LogBuilder& launch(Duration at, const std::string& id, const std::string& zone,
                     const std::string& lifecycle = "spot") {
    states_[id] = "pending";
    return add(at, "instance.state",
               {{"instance_id", id},
                {"from", ""},
                {"to", "pending"},
                {"instance_type", lifecycle == "spot" ? "p3.2xlarge" : "m4.xlarge"},
                {"availability_zone", zone},
                {"lifecycle", lifecycle}});
  }
  LogBuilder& running(Duration at, const std::string& id) { return move(at, id, "running"); }
  LogBuilder& shutting_down(Duration at, const std::string& id, const std::string& reason = "") {
    return move(at, id, "shutting-down", reason);
  }
  LogBuilder& stopping(Duration at, const std::string& id, const std::string& reason = "") {
    return move(at, id, "stopping", reason);
  }
  LogBuilder& stopped(Duration at, const std::string& id) { return move(at, id, "stopped"); }
  // It starts again.
  LogBuilder& pending(Duration at, const std::string& id) { return move(at, id, "pending"); }
  LogBuilder& reboot(Duration at, const std::string& id) {
    return add(at, "guest.reboot", {{"machine", id}});
  }
  LogBuilder& exit(Duration at, const std::string& id, int status) {
    return add(at, "guest.exit", {{"machine", id}, {"status", status}});
  }
  LogBuilder& terminated(Duration at, const std::string& id) { return move(at, id, "terminated"); }
  LogBuilder& boot(Duration at, const std::string& id) {
    return add(at, "instance.boot", {{"instance_id", id}});
  }
  LogBuilder& notice(Duration at, const std::string& id) {
    add(at, "instance.interrupted", {{"instance_id", id}, {"reason", "no-capacity"}});
    return add(at, "instance.notice", {{"instance_id", id}, {"action", "terminate"}});
  }
  LogBuilder& trainer(Duration at, const std::string& id, const std::string& event,
                      std::int64_t step) {
    return add(at, "trainer." + event, {{"instance_id", id}, {"step", step}, {"reason", "epoch"}});
  }
  LogBuilder& volume(Duration at, const std::string& id, const std::string& from,
                     const std::string& to) {
    return add(at, "volume.state", {{"volume_id", id}, {"from", from}, {"to", to}});
  }
  LogBuilder& tag(Duration at, const std::string& id, const std::string& name) {
    return add(at, "tags.created", {{"resource_id", id}, {"tags", {{"Name", name}}}});
  }
  LogBuilder& charge(Duration at, const std::string& id, Duration from, Duration to) {
    const market::Usd price{918'000'000};
    return add(at, "charge",
               {{"kind", "instances"},
                {"resource", id},
                {"from", iso_nanoseconds(kLogStart + from)},
                {"to", iso_nanoseconds(kLogStart + to)},
                {"quantity", seconds(to - from)},
                {"unit", "seconds"},
                {"unit_price", market::format_usd(price)},
                {"cost", market::format_usd(market::charge(price, to - from))},
                {"note", ""}});
  }
  LogBuilder& end(const std::string& outcome, Duration at) {
    return add(at, "run.end", {{"outcome", outcome}});
  }
  const std::vector<Event>& events() const { return events_; }

 private:
  LogBuilder& move(Duration at, const std::string& id, const std::string& to,
                   const std::string& reason = "") {
    const std::string from = std::exchange(states_[id], to);
    return add(at, "instance.state",
               {{"instance_id", id}, {"from", from}, {"to", to}, {"reason", reason}});
  }
  std::map<std::string, std::string> states_;
  std::vector<Event> events_;
};

// Two attempts: the first saves step 100, does 3 more and is interrupted; the second resumes at
// 100.
inline LogBuilder interrupted_once() {
  LogBuilder log;
  log.start();
  log.launch(10s, "i-1", "us-west-2b").running(30s, "i-1").boot(70s, "i-1");
  log.trainer(100s, "i-1", "start", 98).trainer(120s, "i-1", "step", 99);
  log.trainer(130s, "i-1", "step", 100);
  log.trainer(130s, "i-1", "checkpoint-begin", 100).trainer(134s, "i-1", "checkpoint-durable", 100);
  log.trainer(144s, "i-1", "step", 101).trainer(154s, "i-1", "step", 102);
  log.notice(155s, "i-1").trainer(164s, "i-1", "step", 103).trainer(166s, "i-1", "stop", 103);
  log.shutting_down(275s, "i-1").charge(275s, "i-1", 30s, 275s).terminated(300s, "i-1");
  log.launch(310s, "i-2", "us-west-2a").running(330s, "i-2").boot(370s, "i-2");
  log.trainer(400s, "i-2", "start", 100);
  for (int step = 101; step <= 104; ++step) {
    log.trainer(405s + 10s * (step - 100), "i-2", "step", step);
  }
  log.trainer(450s, "i-2", "finished", 104).shutting_down(460s, "i-2");
  log.charge(460s, "i-2", 330s, 460s).terminated(490s, "i-2").end("completed", 500s);
  return log;
}

}  // namespace sim::result
