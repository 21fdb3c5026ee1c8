// The output of `spotsim serve`: a line on a terminal, a line for each refused call, or the events
// as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/cli/terminal/live_line.h"
#include "sim/events/listeners.h"
#include "sim/market/usd.h"
#include "sim/result/history.h"

namespace sim::cli {

class ServeProgress {
 public:
  explicit ServeProgress(bool json) : json_(json), line_(!json) {}

  // While paused nothing is shown.
  void pause(bool paused) { paused_ = paused; }
  // Shows the addresses. tls_url is empty without TLS, and ui_url, the page's, without a page.
  void ready(const std::string& url, const std::string& tls_url, const std::string& ui_url,
             Time now);
  // It must outlive the log's listeners (sim/result/listen.h).
  void listen(events::Listeners& log, const result::History& history,
              std::function<market::Usd()> cost);
  void clear() { line_.clear(); }
  // At the end: the permissions that clients lacked, a line each.
  void tell_missing_permissions() const;

 private:
  void call(const events::ApiCall& event);
  void passed_on(const events::ApiPassedOn& event);
  void draw(Time now);
  void tell_refusal(Time at, std::string_view what, std::string_view result);

  bool json_, paused_ = false;
  LiveLine line_;
  int calls_ = 0;
  std::string last_;  // the last call
  const result::History* history_ = nullptr;
  std::function<market::Usd()> cost_;
};

}  // namespace sim::cli
