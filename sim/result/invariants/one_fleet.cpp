#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

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

  std::vector<std::string_view> hears() const override { return {"fleet.state", "api.call"}; }

  void hear(const Line& line) override {
    if (line.kind() == "api.call") return hear_call(line);
    if (line.text("from").empty()) {
      any_ = true;
      made_.emplace_back(line.text("fleet_id"));
    } else if (!is_on(line.text("to"))) {
      active_.erase(std::string(line.text("fleet_id")));
    }
  }

  bool applies() const override { return any_; }

 private:
  struct Asked {
    std::string caller, request, line;
  };

  // The log has the line of a call behind the lines of the resources that the call made.
  void hear_call(const Line& line) {
    for (const std::string& id : std::exchange(made_, {})) {
      const Asked asked{std::string(line.text("caller")), request_of(line), line.written()};
      for (const auto& [other, before] : active_)
        if (before.caller == asked.caller && before.request == asked.request)
          broken(line.at(), fmt::format("{} and, since {}, {}", other, iso_seconds(line.at()), id),
                 {before.line, asked.line}, {{"active_fleets"}});
      active_.emplace(id, asked);
    }
  }

  // Without what is another one in each request.
  static std::string request_of(const Line& line) {
    const Json request = line.field("request");
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
