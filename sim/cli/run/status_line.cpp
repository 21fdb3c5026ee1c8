#include "sim/cli/run/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace sim::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{100};  // real time

}  // namespace

StatusLine::StatusLine(Time start) : shown_(isatty(STDERR_FILENO) == 1), start_(start) {}

void StatusLine::listen(events::Listeners& log, const run::History& history,
                        std::function<market::Usd()> cost) {
  if (!shown_) return;
  history_ = &history;
  cost_ = std::move(cost);
  log.on<events::InstanceNotice>([this](const auto&) { state_ = "notice"; });
  log.on<events::OrchestratorPhase>([this](const events::OrchestratorPhase& event) {
    state_ = event.name;
    draw_again(event.time);
  });
  log.on<events::TrainerStart>([this](const auto& event) { draw_again(event.time); });
  log.on<events::TrainerStep>([this](const events::TrainerStep& event) {
    state_ = "training";
    draw_again(event.time);
  });
  log.on<events::ImdsRequest>([this](const auto& event) { draw_again(event.time); });
}

// Of the lines above, since the bill is asked for between the cloud's transitions only.
void StatusLine::draw_again(Time time) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kBetweenDrawings) return;
  last_ = now;
  draw(time);
}

void StatusLine::draw(Time now) {
  const std::string elapsed =
      format_duration(std::chrono::floor<std::chrono::seconds>(now - start_));
  const std::string total =
      history_->total_steps > 0 ? fmt::format("/{}", history_->total_steps) : "";
  fmt::print(stderr, "\r\033[K{}  +{}  step {}{}  {}  ${:.4f}", iso_seconds(now), elapsed,
             history_->step, total, state_, cost_().dollars());
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace sim::cli
