// What `spotsim serve --ui` serves to a browser: the page, and the stream of server-sent events
// that fills it. docs/control-api.yaml describes the stream.
#pragma once

#include <cstdint>
#include <string>

#include "fakes/http/http.h"
#include "sim/report/log_lines.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

// The page, or where it is not served an error that says how to start it.
fakes::Response live_page(bool served);
fakes::Response metrics_page(ServedCloud& served);

// GET /_spotsim/stream.
bool is_stream(const fakes::Request& request);
fakes::Response stream_head();

// The stream of one browser. Each event has what has changed since the one before, so a browser
// that reads slowly gets fewer and larger ones. The ID of an event names the process, the world (a
// reset makes a new one) and the number of lines of the log that it covers. A browser that connects
// again with it gets only what is new.
class LiveFeed {
 public:
  LiveFeed(std::string process, const fakes::Request& request);

  // The next event, a comment that keeps the connection open now and then, or an empty text.
  std::string next(ServedCloud& served, std::uint64_t world, const std::string& speed,
                   std::uint64_t calls);

 private:
  std::string process_;
  std::uint64_t world_ = 0;
  report::LineNumber seen_ = 0;  // lines of the log
  Time told_{};                  // the virtual time
  int quiet_ = 0;                // times that there was nothing to send
};

}  // namespace sim::serve
