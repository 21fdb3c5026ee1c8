#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// A program that receives no answer sends its request again. Without a client token the second
// request makes a second fleet, which the program does not know and the account pays for.
class OneFleet : public Invariant {
 public:
  explicit OneFleet(const RunSoFar& run)
      : Invariant("one-fleet", "no two active fleets come from the same request of one caller"),
        run_(run) {}

  void listen(events::Listeners& log) override {
    log.on<events::FleetState>([this](const events::FleetState& event) {
      if (event.is_new()) made_.emplace_back(event.fleet_id);
    });
    log.on(*this, &OneFleet::call);
  }

  bool applies() const override { return !run_.history().fleets.empty(); }

 private:
  struct Asked {
    std::string caller, request, line;
  };

  // The line of a call follows the lines of the resources that the call made.
  void call(const events::ApiCall& event) {
    for (const std::string& id : std::exchange(made_, {})) {
      const Asked asked{std::string(event.caller), request_of(event.request.get()), to_line(event)};
      for (const auto& [other, before] : asked_)
        if (run_.history().is_active(other) && before.caller == asked.caller &&
            before.request == asked.request)
          broken(event.time,
                 fmt::format("{} and, since {}, {}", other, iso_seconds(event.time), id),
                 {before.line, asked.line}, {{"active_fleets"}});
      asked_.emplace(id, asked);
    }
  }

  // The request without fields that differ in each repetition.
  static std::string request_of(const Json& request) {
    std::string all;
    for (const auto& [name, value] : request.items())
      if (!name.ends_with("ClientToken")) all += fmt::format("{}={} ", name, value.dump());
    return all;
  }

  const RunSoFar& run_;
  std::vector<std::string> made_;       // fleets of the call whose line is about to come
  std::map<std::string, Asked> asked_;  // by fleet
};

}  // namespace

std::unique_ptr<Invariant> one_fleet(const InvariantRules&, const RunSoFar& run) {
  return std::make_unique<OneFleet>(run);
}

}  // namespace sim::result
