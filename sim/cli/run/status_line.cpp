#include "sim/cli/run/status_line.h"

#include <fmt/format.h>

#include <utility>

namespace sim::cli {

void StatusLine::listen(events::Listeners& log, const result::History& history,
                        std::function<market::Usd()> cost) {
  if (!line_.shown()) return;
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
  log.on<events::ApiCall>([this](const auto& event) { draw_again(event.time); });
}

// Draws at these events only, because the bill can be computed only between the cloud's
// transitions.
void StatusLine::draw_again(Time now) {
  if (!line_.due()) return;
  const std::string elapsed =
      format_duration(std::chrono::floor<std::chrono::seconds>(now - start_));
  const std::string total =
      history_->total_steps > 0 ? fmt::format("/{}", history_->total_steps) : "";
  line_.draw(fmt::format("{}  +{}  step {}{}  {}  ${:.4f}", iso_seconds(now), elapsed,
                         history_->step, total, state_, cost_().dollars()));
}

}  // namespace sim::cli
