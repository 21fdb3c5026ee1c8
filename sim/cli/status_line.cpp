#include "sim/cli/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/json_text.h"
#include "sim/kernel/event.h"

namespace sim::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{100};  // real time

// A foreign trainer may write anything here.
void take(const Event& event, const char* key, std::int64_t& number) {
  const auto it = event.fields.find(key);
  if (it != event.fields.end() && it->is_number_integer()) number = it->get<std::int64_t>();
}

}  // namespace

StatusLine::StatusLine(Time start) : shown_(isatty(STDERR_FILENO) == 1), start_(start) {}

void StatusLine::hear(const Event& event, const std::function<market::Usd()>& cost) {
  if (!shown_) return;
  if (event.kind == "instance.notice") state_ = "notice";
  if (event.kind == "orchestrator.phase") state_ = base::text_of(event.fields, "name");
  if (event.kind == "trainer.step") state_ = "training";
  const bool trainer = event.kind.starts_with("trainer.");
  if (trainer) {
    take(event, "step", step_);
    take(event, "total_steps", total_);
  }
  // The bill is asked for between the cloud's transitions only.
  if (!trainer && event.kind != "orchestrator.phase" && event.kind != "imds.request") return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kBetweenDrawings) return;
  last_ = now;
  draw(event.time, cost);
}

void StatusLine::draw(Time now, const std::function<market::Usd()>& cost) {
  const std::string elapsed =
      format_duration(std::chrono::floor<std::chrono::seconds>(now - start_));
  const std::string steps =
      total_ > 0 ? fmt::format("step {}/{}", step_, total_) : fmt::format("step {}", step_);
  fmt::print(stderr, "\r\033[K{}  +{}  {}  {}  ${:.4f}", iso_seconds(now), elapsed, steps, state_,
             cost().dollars());
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace sim::cli
