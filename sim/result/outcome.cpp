#include "sim/result/outcome.h"

#include <algorithm>

#include "base/json_text.h"
#include "sim/kernel/event.h"

namespace sim::run {
namespace {

std::string text(const Event& event, const char* key) { return base::text_of(event.fields, key); }

}  // namespace

void Outcome::hear(const Event& event) {
  if (event.kind == "trainer.start") trained_ = true;
  if (event.kind == "trainer.finished") finished_ = true;
  if (event.kind == "orchestrator.phase") orchestrator_failed_ = text(event, "name") == "failed";
  if (event.kind != "guest.exit") return;
  const auto status = event.fields.find("status");
  const int value =
      status != event.fields.end() && status->is_number_integer() ? status->get<int>() : 0;
  const std::string machine = text(event, "machine");
  (machine == "operator" ? operator_status_ : statuses_[machine]) = value;
}

bool Outcome::wants(std::string_view kind) {
  return kind == "trainer.start" || kind == "trainer.finished" || kind == "orchestrator.phase" ||
         kind == "guest.exit";
}

bool Outcome::failed() const {
  if (operator_status_ != 0 || orchestrator_failed_) return true;
  const auto ended_badly = [](const auto& entry) { return entry.second != 0; };
  return !trained_ && std::any_of(statuses_.begin(), statuses_.end(), ended_badly);
}

std::string Outcome::verdict(End end) const {
  const bool all_down = end == End::kAllDown;
  if (all_down && finished_ && operator_status_ == 0) return "completed";
  if (failed()) return "failed";
  if (end == End::kLimit) return "deadline";
  if (end == End::kNothingCanHappen) return "stuck";
  return trained_ ? "failed" : "completed";
}

}  // namespace sim::run
