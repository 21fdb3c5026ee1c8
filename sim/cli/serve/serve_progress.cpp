#include "sim/cli/serve/serve_progress.h"

#include <fmt/format.h>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/events/event.h"

namespace sim::cli {
void ServeProgress::ready(const std::string& url, const std::string& tls_url,
                          const std::string& ui_url, Time now) {
  if (!json_) return;
  Json fields{{"url", url}};
  if (!tls_url.empty()) fields["tls_url"] = tls_url;
  if (!ui_url.empty()) fields["ui"] = ui_url;
  fmt::print("{}\n", to_line({now, "serve.ready", fields}));
  std::fflush(stdout);
}

void ServeProgress::listen(events::Listeners& log, const result::History& history,
                           std::function<market::Usd()> cost) {
  history_ = &history;
  cost_ = std::move(cost);
  calls_ = 0;
  if (json_) {
    log.on_all([this](const events::AnyEvent& event, std::string_view) {
      if (paused_) return;
      fmt::print("{}\n", to_line(event));
      std::fflush(stdout);
    });
  }
  log.on(*this, &ServeProgress::call);
  log.on(*this, &ServeProgress::passed_on);
  log.on<events::AlarmWithoutData>([this](const events::AlarmWithoutData& event) {
    tell_refusal(event.time, fmt::format("the alarm {}", event.alarm),
                 fmt::format("the metric {} has no data here", event.metric));
  });
  log.on<events::Control>([this](const events::Control& event) {
    tell_refusal(event.time, fmt::format("control {}", event.action), event.result);
  });
}

void ServeProgress::call(const events::ApiCall& event) {
  ++calls_;
  last_.assign(event.action).append(" ").append(event.result);
  if (event.result != "ok")
    tell_refusal(event.time, fmt::format("{} {}", event.service, event.action), event.result);
  draw(event.time);
}

void ServeProgress::passed_on(const events::ApiPassedOn& event) {
  ++calls_;
  last_ = fmt::format("{} {} passed on to {}", event.service, event.action, event.endpoint);
  if (!event.error.empty())
    tell_refusal(event.time, last_, fmt::format("no answer: {}", event.error));
  draw(event.time);
}

// Draws at calls only, because the bill can be computed only between the cloud's transitions.
void ServeProgress::draw(Time now) {
  if (paused_ || !line_.due()) return;
  line_.draw(fmt::format("{}  {} instances  {} calls  ${:.4f}  {}", iso_seconds(now),
                         history_->running_instances(), calls_, cost_().dollars(), last_));
}

// Reports unsupported and wrong requests at once.
void ServeProgress::tell_refusal(Time at, std::string_view what, std::string_view result) {
  if (paused_ || json_ || result == "ok") return;
  clear();
  say(Style::kWarning, fmt::format("spotsim: {} {}: {}", iso_seconds(at), what, result));
}

void ServeProgress::tell_missing_permissions() const {
  for (const result::MissingPermission& one : history_->missing_permissions)
    say(Style::kWarning,
        fmt::format("spotsim: missing permission {}: {}", one.action, result::in_words(one)));
}

}  // namespace sim::cli
