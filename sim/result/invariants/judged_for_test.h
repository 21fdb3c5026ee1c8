// Logs written by hand, and what the invariants find in them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/result/log_builder_for_test.h"
#include "sim/result/result_of_log.h"

namespace sim::result {

// The verdict on a log. Its `what` is empty if the invariant does not apply.
inline Verdict judged(const LogBuilder& log, const std::string& id,
                      const InvariantRules& rules = {}) {
  const Result result = result_of(log.events(), rules);
  for (const Verdict& v : result.invariants)
    if (v.id == id) return v;
  return {.what = "", .holds = true};
}

inline bool holds(const LogBuilder& log, const std::string& id, const InvariantRules& rules = {}) {
  const Verdict v = judged(log, id, rules);
  EXPECT_NE(v.what, "") << id << " does not apply";
  EXPECT_TRUE(v.holds || !v.found.empty()) << id;
  return v.holds;
}

inline bool applies(const LogBuilder& log, const std::string& id,
                    const InvariantRules& rules = {}) {
  return !judged(log, id, rules).what.empty();
}

// The names of the events that show the breach.
inline std::vector<std::string> shown(const LogBuilder& log, const std::string& id,
                                      const InvariantRules& rules = {}) {
  std::vector<std::string> kinds;
  for (const std::string& line : judged(log, id, rules).lines) {
    const Event event = parse_event(line);
    EXPECT_EQ(to_line(event), line);
    kinds.push_back(event.kind);
  }
  return kinds;
}

using Kinds = std::vector<std::string>;

inline LogBuilder& snapshot(LogBuilder& log, Duration at, const std::string& id,
                            const std::string& of, const std::string& from, const std::string& to) {
  return log.add(at, "snapshot.state",
                 {{"snapshot_id", id}, {"from", from}, {"to", to}, {"volume_id", of}});
}

inline LogBuilder& volume_of(LogBuilder& log, Duration at, const std::string& id,
                             const std::string& snapshot_id) {
  return log.add(
      at, "volume.state",
      {{"volume_id", id}, {"from", ""}, {"to", "creating"}, {"snapshot_id", snapshot_id}});
}

inline LogBuilder& saves(LogBuilder& log, Duration at, const std::string& instance,
                         std::int64_t step, const std::string& disk) {
  return log.add(at, "trainer.checkpoint-durable",
                 {{"instance_id", instance}, {"step", step}, {"path", "/data/m"}, {"disk", disk}});
}

inline LogBuilder& call(LogBuilder& log, Duration at, const std::string& caller,
                        const std::string& action, const std::string& result = "ok") {
  return log.add(at, "api.call",
                 {{"service", "ec2"}, {"action", action}, {"caller", caller}, {"result", result}});
}

inline LogBuilder& phase(LogBuilder& log, Duration at, const std::string& instance,
                         const std::string& name) {
  return log.add(at, "orchestrator.phase", {{"instance_id", instance}, {"name", name}});
}

inline LogBuilder& exits(LogBuilder& log, Duration at, const std::string& machine, int status) {
  return log.add(at, "guest.exit", {{"machine", machine}, {"status", status}});
}

// i-1 trains on vol-1, the job's volume, which has step 100 since 20 s.
inline LogBuilder in_training() {
  LogBuilder log;
  log.start();
  log.volume(1s, "vol-1", "", "creating").tag(1s, "vol-1", "job");
  log.volume(2s, "vol-1", "creating", "available");
  log.launch(3s, "i-1", "us-west-2b").running(4s, "i-1").boot(5s, "i-1");
  log.volume(6s, "vol-1", "available", "in-use");
  log.add(10s, "trainer.start", {{"instance_id", "i-1"}, {"step", 0}, {"total_steps", 300}});
  log.trainer(15s, "i-1", "checkpoint-begin", 100);
  return saves(log, 20s, "i-1", 100, "vol-1");
}

}  // namespace sim::result
