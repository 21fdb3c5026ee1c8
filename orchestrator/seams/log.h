// The orchestrator's output: lines for people and progress for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace spotrun {

// Implemented by FileLog on real instances, and by the simulator for its fiber guests.
class Log {
 public:
  virtual ~Log() = default;
  virtual void say(const std::string& line) = 0;
  // Writes one line of the event log with the source orchestrator (docs/event-log.md). It never
  // fails.
  virtual void event(const std::string& name, const nlohmann::ordered_json& fields) = 0;

  // Logs "phase" with the phase that the job enters.
  virtual void phase(const std::string& name) { event("phase", {{"name", name}}); }
};

}  // namespace spotrun
