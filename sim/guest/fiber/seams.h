// The orchestrator's seams in the simulation: the kernel's clock, the fakes' handlers, the log.
#pragma once

#include <functional>
#include <string>

#include "client/environment.h"
#include "client/http.h"
#include "fakes/direct.h"
#include "fakes/http/http.h"
#include "orchestrator/aws/transport.h"
#include "orchestrator/seams/clock.h"
#include "orchestrator/seams/log.h"
#include "sim/events/event_log.h"
#include "sim/guest/fiber/program.h"

namespace sim::guest {

// The orchestrator's clock on virtual time. It skips polls that would find nothing new, because
// each would cost a switch of fibers.
class FiberClock : public spotrun::Clock {
 public:
  // every_look: also polls without a change since the previous one. `skew`: how far the clock is
  // ahead.
  FiberClock(Simulation& simulation, Program& program, bool every_look,
             std::function<Duration()> skew)
      : simulation_(simulation),
        program_(program),
        every_look_(every_look),
        skew_(std::move(skew)) {}
  spotrun::Time now() override;
  spotrun::Duration elapsed() override;
  void sleep(spotrun::Duration duration) override;
  void look() override;
  void sleep_between_looks(spotrun::Duration interval, spotrun::Time until) override;

 private:
  void skip_looks(Duration interval, spotrun::Time until);

  Simulation& simulation_;
  Program& program_;
  bool every_look_;
  std::function<Duration()> skew_;
  Time look_began_{};
  std::uint64_t changes_seen_ = 0;  // at the start of the wait
  bool slept_ = false;              // since the start of the wait
};

// The metadata service. A request calls its handler. The answer comes after the handler's delay and
// libcurl's clock reads in a process guest. No other server is reachable.
class FiberHttp : public client::Http {
 public:
  // `metadata` is empty if there is no metadata service.
  FiberHttp(Simulation& simulation, Program& program, const fakes::Handler& metadata)
      : simulation_(simulation), program_(program), metadata_(metadata) {}
  client::HttpResponse send(const client::HttpRequest& request) override;

 private:
  Simulation& simulation_;
  Program& program_;
  const fakes::Handler& metadata_;
};

// The other services, with structs instead of HTTP.
class FiberTransport : public spotrun::aws::Transport {
 public:
  FiberTransport(Program& program, const fakes::DirectHandler& aws,
                 const client::Environment& environment)
      : program_(program), aws_(aws), environment_(environment) {}
  spotrun::aws::Answer send(const spotrun::aws::Call& call) override;

 private:
  Program& program_;
  const fakes::DirectHandler& aws_;
  const client::Environment& environment_;
};

// Receives console lines; may be empty.
using Console = std::function<void(const std::string& machine, const std::string& line)>;

// Writes the orchestrator's lines to the console and its events to the run's log.
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
  void phase(const std::string& name) override;

 private:
  Simulation& simulation_;
  Program& program_;
  EventLog& log_;
  std::string machine_;
  const Console& console_;
};

}  // namespace sim::guest
