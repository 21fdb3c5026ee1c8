// The orchestrator's seams inside the simulation: the kernel's clock, the fakes' handlers, the log.
#pragma once

#include <functional>
#include <string>

#include "fakes/http.h"
#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/http.h"
#include "orchestrator/seams/log.h"
#include "sim/guest/fiber/program.h"
#include "sim/kernel/event_log.h"

namespace sim::guest {

class FiberClock : public spotrun::Clock {
 public:
  FiberClock(Simulation& simulation, Program& program)
      : simulation_(simulation), program_(program) {}
  spotrun::Time now() override;
  void sleep(spotrun::Duration duration) override;

 private:
  Simulation& simulation_;
  Program& program_;
};

// A request is a call of the handler; its answer comes after the handler's delay and what libcurl
// costs a process guest in clock reads.
class FiberHttp : public spotrun::Http {
 public:
  // `metadata` is empty where there is no metadata service.
  FiberHttp(Simulation& simulation, Program& program, fakes::Handler aws, fakes::Handler metadata)
      : simulation_(simulation),
        program_(program),
        aws_(std::move(aws)),
        metadata_(std::move(metadata)) {}
  spotrun::HttpResponse send(const spotrun::HttpRequest& request) override;

 private:
  Simulation& simulation_;
  Program& program_;
  fakes::Handler aws_, metadata_;
};

// Lines for people; may be empty.
using Console = std::function<void(const std::string& machine, const std::string& line)>;

class FiberLog : public spotrun::Log {
 public:
  FiberLog(Simulation& simulation, Program& program, EventLog& log, std::string machine,
           const Console& console)
      : simulation_(simulation),
        program_(program),
        log_(log),
        machine_(std::move(machine)),
        console_(console) {}
  void say(const std::string& line) override;
  void event(const std::string& name, const nlohmann::ordered_json& fields) override;

 private:
  Simulation& simulation_;
  Program& program_;
  EventLog& log_;
  std::string machine_;
  const Console& console_;
};

}  // namespace sim::guest
