#include "sim/guest/fiber/seams.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "orchestrator/aws/http_transport.h"
#include "sim/events/event.h"

namespace sim::guest {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view kMetadata = "http://169.254.169.254";
// libcurl 7.88's clock reads for one request on an open connection, 1 µs each
// (docs/virtual-time.md).
constexpr Duration kRequestCost = 35us, kSignedRequestCost = 37us;

// "https://host/a?b" → "/a?b"
std::string target_of(const std::string& url) {
  const auto host = url.find("://");
  const auto slash = url.find('/', host == std::string::npos ? 0 : host + 3);
  return slash == std::string::npos ? "/" : url.substr(slash);
}

fakes::Request as_fakes_request(const client::HttpRequest& request) {
  fakes::Request made(http::string_to_verb(request.method), target_of(request.url), 11);
  for (const auto& [name, value] : request.headers) made.set(name, value);
  made.body() = request.body;
  return made;
}

}  // namespace

spotrun::Time FiberClock::now() {
  return spotrun::Time{
      std::chrono::floor<spotrun::Duration>(simulation_.now().time_since_epoch() + skew_())};
}

spotrun::Duration FiberClock::elapsed() {
  return std::chrono::floor<spotrun::Duration>(simulation_.now().time_since_epoch());
}

void FiberClock::sleep(spotrun::Duration duration) {
  program_.quiet_poll.acted();
  slept_ = true;
  const Time until = simulation_.now() + duration;
  while (program_.wait_until(until)) {
  }
}

void FiberClock::look() {
  look_began_ = simulation_.now();
  changes_seen_ = program_.cloud_changes();
  slept_ = false;
}

void FiberClock::sleep_between_looks(spotrun::Duration interval, spotrun::Time until) {
  // A poll that had to wait does not show how long the next one takes.
  if (every_look_ || slept_ || program_.cloud_changes() != changes_seen_) {
    sleep(interval);
  } else {
    skip_looks(interval, until);
  }
  look();
}

void FiberClock::skip_looks(Duration interval, spotrun::Time until) {
  program_.quiet_poll.acted();
  const Duration took = simulation_.now() - look_began_;
  const QuietPoll::Rhythm rhythm(simulation_.now(), interval, took);
  std::optional<Time> next;  // the next poll
  if (until != spotrun::Time::max())
    next = rhythm.first_look_after(Time{until.time_since_epoch()} - skew_());
  bool changed = false;
  while (!next || simulation_.now() < *next) {
    program_.wait_for_change(next);
    if (program_.stop_asked()) {
      program_.spend(rhythm.noticed(simulation_.now()) - simulation_.now());
      program_.wait_until(simulation_.now());  // throws
    }
    if (changed || program_.cloud_changes() == changes_seen_) continue;
    changed = true;
    const Time sees_it = rhythm.first_look_after(simulation_.now() + took);
    next = std::min(next.value_or(sees_it), sees_it);
  }
}

client::HttpResponse FiberHttp::send(const client::HttpRequest& request) {
  if (!metadata_ || !request.url.starts_with(kMetadata))
    throw client::TransportError(request.url + ": no route to host");
  const fakes::Reply reply = metadata_(as_fakes_request(request));
  const int status = static_cast<int>(reply.response.result_int());
  if (status != 404) program_.quiet_poll.acted();
  if (reply.delay > request.timeout) {
    program_.spend(request.timeout);
    throw client::TransportError(request.url + ": timed out");
  }
  program_.spend(std::max(reply.delay, Duration{}) + kRequestCost);
  return {status, reply.response.body()};
}

spotrun::aws::Answer FiberTransport::send(const spotrun::aws::Call& call) {
  fakes::DirectReply reply = aws_({call.service, call.operation, call.request, call.region});
  program_.quiet_poll.acted();
  const Duration timeout = client::HttpRequest().timeout;
  if (reply.delay > timeout) {
    program_.spend(timeout);
    throw client::TransportError(spotrun::aws::ec2_endpoint(call.region, environment_) +
                                 ": timed out");
  }
  program_.spend(std::max(reply.delay, Duration{}) + kSignedRequestCost);
  return {std::move(reply.response), std::move(reply.error)};
}

void FiberLog::say(const std::string& line) {
  program_.quiet_poll.acted();
  if (!console_) return;
  console_(machine_, fmt::format("{} spotrun: {}", iso_seconds(simulation_.now()), line));
}

void FiberLog::event(const std::string& name, const nlohmann::ordered_json& fields) {
  program_.quiet_poll.acted();
  Json line{{"instance_id", machine_}};
  line.update(fields);
  log_.append(simulation_.now(), "orchestrator." + name, line);
}

void FiberLog::phase(const std::string& name) {
  program_.quiet_poll.acted();
  log_.append(
      events::OrchestratorPhase{.time = simulation_.now(), .instance_id = machine_, .name = name});
}

}  // namespace sim::guest
