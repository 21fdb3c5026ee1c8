#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "sim/result/invariants/list.h"

namespace sim::result {
namespace {

// These codes are about the present capacity of the market. Asking again later is waiting, not a
// retry.
bool is_about_capacity(std::string_view code) {
  static constexpr std::string_view kCodes[] = {"InsufficientInstanceCapacity",
                                                "InsufficientCapacity", "UnfulfillableCapacity",
                                                "SpotMaxPriceTooLow"};
  return std::ranges::find(kCodes, code) != std::end(kCodes);
}

// The simulated AWS does not have the action. The caller is not to blame for that.
bool is_missing_here(std::string_view code) { return code == "NotImplemented"; }

// CloudFormation repeats a call that a service refuses temporarily. AWS documents no limit.
bool is_own_service(std::string_view caller) { return caller == "cloudformation"; }

// The object or part that a call to S3 is about. Programs call S3 for many of them in parallel.
std::string object_of(const events::ApiCall& event) {
  return event.service == "s3" ? event.request.get().dump() : "";
}

class RetriesBounded : public Invariant {
 public:
  explicit RetriesBounded(const InvariantRules& rules)
      : Invariant("retries-bounded",
                  fmt::format("no caller fails with the same call more than {} times in a row, or "
                              "{} times in a second",
                              rules.retries_in_a_row, rules.retries_in_a_second)),
        in_a_row_(rules.retries_in_a_row),
        in_a_second_(static_cast<std::size_t>(rules.retries_in_a_second)) {}

  void listen(events::Listeners& log) override { log.on(*this, &RetriesBounded::call); }

 private:
  void call(const events::ApiCall& event) {
    const bool ok = event.result == "ok";
    if (is_broken() || (ok && failing_.empty()) || is_missing_here(event.result)) return;
    if (is_own_service(event.caller)) return;
    const std::tuple who{std::string(event.caller), std::string(event.action), object_of(event)};
    if (ok) {
      failing_.erase(who);
      return;
    }
    Failing& failing = failing_[who];
    failing.last.push_back({event.time, to_line(event)});
    if (failing.last.size() > in_a_second_ + 1) failing.last.pop_front();
    if (!is_about_capacity(event.result)) ++failing.in_a_row;
    const bool at_once = failing.last.size() > in_a_second_ &&
                         event.time - failing.last.front().at < std::chrono::seconds{1};
    if (!at_once && failing.in_a_row <= in_a_row_) return;
    std::vector<std::string> lines;
    for (const Failure& failure : failing.last) lines.push_back(failure.line);
    broken(event.time,
           fmt::format("{} failed at {} {} by {}", std::get<0>(who), std::get<1>(who),
                       at_once ? fmt::format("{} times within a second", failing.last.size())
                               : fmt::format("{} times in a row", failing.in_a_row),
                       iso_seconds(event.time)),
           std::move(lines));
  }

  struct Failure {
    Time at;
    std::string line;
  };
  struct Failing {
    int in_a_row = 0;
    std::deque<Failure> last;
  };
  int in_a_row_;
  std::size_t in_a_second_;
  std::map<std::tuple<std::string, std::string, std::string>, Failing> failing_;  // by call
};

}  // namespace

std::unique_ptr<Invariant> retries_bounded(const InvariantRules& rules, const RunSoFar&) {
  return std::make_unique<RetriesBounded>(rules);
}

}  // namespace sim::result
