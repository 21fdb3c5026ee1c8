#include "sim/cli/serve_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/json_text.h"
#include "sim/cli/terminal_style.h"

namespace sim::cli {
namespace {

constexpr serve::RealTime kBetweenLines = 100ms;

}  // namespace

ServeProgress::ServeProgress(bool json)
    : json_(json), terminal_(!json && isatty(STDERR_FILENO) == 1) {}

void ServeProgress::ready(const std::string& url, const std::string& tls_url, Time now) {
  if (!json_) return;
  Json fields{{"url", url}};
  if (!tls_url.empty()) fields["tls_url"] = tls_url;
  fmt::print("{}\n", to_line({now, "serve.ready", fields}));
  std::fflush(stdout);
}

void ServeProgress::hear(const Event& event, const std::function<market::Usd()>& cost,
                         serve::RealTime real) {
  count(event);
  if (paused_) return;
  if (json_) {
    fmt::print("{}\n", to_line(event));
    std::fflush(stdout);
    return;
  }
  tell_refusal(event);
  // The bill is asked for between the cloud's transitions only.
  if (!terminal_ || event.kind != "api.call" || real - drawn_at_ < kBetweenLines) return;
  drawn_at_ = real;
  fmt::print(stderr, "\r\033[K{}  {} instances  {} calls  ${:.4f}  {}", iso_seconds(event.time),
             instances_, calls_, cost().dollars(), last_);
  std::fflush(stderr);
  drawn_ = true;
}

void ServeProgress::count(const Event& event) {
  if (event.kind == "run.start") calls_ = instances_ = 0;
  if (event.kind == "instance.state") {
    const std::string from = base::text_of(event.fields, "from");
    if (from.empty()) ++instances_;
    if (base::text_of(event.fields, "to") == "terminated") --instances_;
  }
  if (event.kind != "api.call") return;
  ++calls_;
  last_ = base::text_of(event.fields, "action") + " " + base::text_of(event.fields, "result");
}

// What is not part of the simulated AWS, or was asked for wrongly, is seen at once.
void ServeProgress::tell_refusal(const Event& event) {
  const bool call = event.kind == "api.call";
  if (!call && event.kind != "control") return;
  const std::string result = base::text_of(event.fields, "result");
  if (result == "ok") return;
  clear();
  say(Style::kWarning, fmt::format("spotsim: {} {}{}: {}", iso_seconds(event.time),
                                   call ? base::text_of(event.fields, "service") + " " : "control ",
                                   base::text_of(event.fields, "action"), result));
}

void ServeProgress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace sim::cli
