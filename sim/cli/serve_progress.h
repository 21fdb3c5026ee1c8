// What `spotsim serve` shows of what happens: a line on a terminal, a line for each call that was
// refused, or the events as JSON.
#pragma once

#include <functional>
#include <string>

#include "sim/kernel/event.h"
#include "sim/market/usd.h"
#include "sim/serve/pace.h"

namespace sim::cli {

class ServeProgress {
 public:
  explicit ServeProgress(bool json);
  ~ServeProgress() { clear(); }
  ServeProgress(const ServeProgress&) = delete;
  ServeProgress& operator=(const ServeProgress&) = delete;

  // While paused nothing is shown.
  void pause(bool paused) { paused_ = paused; }
  // tls_url: empty for none.
  void ready(const std::string& url, const std::string& tls_url, Time now);
  void hear(const Event& event, const std::function<market::Usd()>& cost, serve::RealTime real);
  void clear();

 private:
  void count(const Event& event);
  void tell_refusal(const Event& event);

  bool json_, terminal_, paused_ = false, drawn_ = false;
  int calls_ = 0, instances_ = 0;
  std::string last_;  // call
  serve::RealTime drawn_at_{};
};

}  // namespace sim::cli
