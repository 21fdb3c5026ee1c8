#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/result/invariants/list.h"

namespace sim::run {
namespace {

bool is_on(std::string_view state) {
  return std::ranges::count(std::array{"submitted", "active", "modifying"}, state) > 0;
}

// A request whose answer was lost is sent again. Without a client token that makes a second fleet,
// which nobody knows of and everybody pays for.
class OneFleet : public Invariant {
 public:
  OneFleet()
      : Invariant("one-fleet",
                  "no two fleets that are active at once come of the same request by one caller") {}

  void listen(events::Listeners& log) override {
    log.on(*this, &OneFleet::fleet_state);
    log.on(*this, &OneFleet::call);
  }

  bool applies() const override { return any_; }

 private:
  struct Asked {
    std::string caller, request, line;
  };

  void fleet_state(const events::FleetState& event) {
    if (event.is_new()) {
      any_ = true;
      made_.emplace_back(event.fleet_id);
    } else if (!is_on(event.to)) {
      active_.erase(std::string(event.fleet_id));
    }
  }

  // The log has the line of a call behind the lines of the resources that the call made.
  void call(const events::ApiCall& event) {
    for (const std::string& id : std::exchange(made_, {})) {
      const Asked asked{std::string(event.caller), request_of(event.request.get()), to_line(event)};
      for (const auto& [other, before] : active_)
        if (before.caller == asked.caller && before.request == asked.request)
          broken(event.time,
                 fmt::format("{} and, since {}, {}", other, iso_seconds(event.time), id),
                 {before.line, asked.line}, {{"active_fleets"}});
      active_.emplace(id, asked);
    }
  }

  // Without what is another one in each request.
  static std::string request_of(const Json& request) {
    std::string all;
    for (const auto& [name, value] : request.items())
      if (!name.ends_with("ClientToken")) all += fmt::format("{}={} ", name, value.dump());
    return all;
  }

  bool any_ = false;
  std::vector<std::string> made_;        // by the call whose line is to come
  std::map<std::string, Asked> active_;  // by fleet
};

}  // namespace

std::unique_ptr<Invariant> one_fleet(const InvariantRules&, const RunSoFar&) {
  return std::make_unique<OneFleet>();
}

}  // namespace sim::run
