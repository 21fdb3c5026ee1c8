#include "sim/events/event_log.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

#include "sim/events/read.h"
#include "sim/kernel/check.h"

namespace sim {

struct EventLog::Hash {
  XXH3_state_t* state = XXH3_createState();
  Hash() { XXH3_64bits_reset(state); }
  ~Hash() { XXH3_freeState(state); }
};

EventLog::EventLog(LogText text)
    : hash_(text == LogText::kRendered ? std::make_unique<Hash>() : nullptr) {}
EventLog::EventLog(EventLog& main, std::string region) : main_(&main), region_(std::move(region)) {}
EventLog::~EventLog() = default;

void EventLog::append(const events::AnyEvent& event) {
  if (main_) {
    Json fields{{"region", region_}};
    fields.update(event.fields());
    return main_->append(event.time(), event.name(), fields);
  }
  SIM_CHECK(event.time() >= last_);
  last_ = event.time();
  ++lines_;
  if (!hash_) return listeners_.tell(event);
  const std::string line = events::to_line(event);
  XXH3_64bits_update(hash_->state, line.data(), line.size());
  XXH3_64bits_update(hash_->state, "\n", 1);
  listeners_.tell(event, line);
}

void EventLog::append(Time time, std::string_view kind, const Json& fields) {
  events::read(time, kind, fields, [this](const events::AnyEvent& event) { append(event); });
}

std::string EventLog::fingerprint() const {
  if (main_) return main_->fingerprint();
  if (!hash_) return "";
  return fmt::format("{:016x}", XXH3_64bits_digest(hash_->state));
}

}  // namespace sim
