// The live page of `spotsim serve --ui` and its stream of server-sent events, which
// docs/control-api.yaml describes.
#pragma once

#include <cstdint>
#include <string>

#include "fakes/http/http.h"
#include "sim/report/log_lines.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

// The page. If the service does not serve it, the answer is an error that explains how to start it.
fakes::Response live_page(bool served);
fakes::Response metrics_page(ServedCloud& served);

// True for GET /_spotsim/stream.
bool is_stream(const fakes::Request& request);
fakes::Response stream_head();

// The stream of one browser. An event has all changes since the previous event, so a browser that
// reads slowly gets fewer and larger events. The ID of an event names the process, the world (a
// reset makes a new one) and the number of the log's lines so far. A browser that reconnects with
// this ID gets only later changes.
class LiveFeed {
 public:
  LiveFeed(std::string process, const fakes::Request& request);

  // Returns the next event. Without changes it returns an empty text, and now and then a comment
  // that keeps the connection open.
  std::string next(ServedCloud& served, std::uint64_t world, const std::string& speed,
                   std::uint64_t calls);

 private:
  std::string process_;
  std::uint64_t world_ = 0;
  report::LineNumber seen_ = 0;  // lines of the log
  Time told_{};                  // the virtual time
  int quiet_ = 0;                // calls of next() without an event
};

}  // namespace sim::serve
