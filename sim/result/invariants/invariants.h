// All invariants of one run: they hear its log from the first line on.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/result/invariants/invariant.h"
#include "sim/result/invariants/rules.h"

namespace sim::run {

class Invariants {
 public:
  explicit Invariants(const InvariantRules& rules = {});

  // `text`: the line, where the log makes its text; else empty.
  void hear(const Event& event, std::string_view text = {}) { tell(Line(event, text)); }
  void hear(const PlainEvent& event, std::string_view text = {}) { tell(Line(event, text)); }
  bool wants(std::string_view kind) const { return listeners_.contains(kind); }

  // Once, when the run is over. In the order of list.cpp; of those that apply to the run.
  std::vector<Verdict> verdicts(const Story& story, const Result& result);

 private:
  void tell(const Line& line);

  std::vector<std::unique_ptr<Invariant>> all_;
  std::map<std::string_view, std::vector<Invariant*>> listeners_;  // by kind
};

// Those of a log that is there already.
std::vector<Verdict> invariants(std::span<const Event> events, const Story& story,
                                const Result& result, const InvariantRules& rules = {});

}  // namespace sim::run
