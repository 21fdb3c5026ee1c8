#include "sim/cli/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace sim::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{100};  // real time

}  // namespace

StatusLine::StatusLine(Time start) : shown_(isatty(STDERR_FILENO) == 1), start_(start) {}

void StatusLine::listen(events::Listeners& log, std::function<market::Usd()> cost) {
  if (!shown_) return;
  cost_ = std::move(cost);
  log.on<events::InstanceNotice>([this](const auto&) { state_ = "notice"; });
  log.on<events::OrchestratorPhase>([this](const events::OrchestratorPhase& event) {
    state_ = event.name;
    draw_again(event.time);
  });
  log.on<events::TrainerStart>([this](const events::TrainerStart& event) {
    step_ = event.step;
    total_ = event.total_steps;
    draw_again(event.time);
  });
  log.on<events::TrainerStep>([this](const events::TrainerStep& event) {
    state_ = "training";
    step_ = event.step;
    total_ = event.total_steps.value_or(total_);
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
  const std::string steps =
      total_ > 0 ? fmt::format("step {}/{}", step_, total_) : fmt::format("step {}", step_);
  fmt::print(stderr, "\r\033[K{}  +{}  {}  {}  ${:.4f}", iso_seconds(now), elapsed, steps, state_,
             cost_().dollars());
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace sim::cli
