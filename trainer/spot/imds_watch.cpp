#include "trainer/spot/imds_watch.h"

#include <ctime>

#include "base/process/quiet_thread.h"
#include "base/spot_notice.h"

namespace spottrain {
namespace {

std::chrono::nanoseconds now_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

Notice notice_of(const base::InstanceAction& action) {
  return {.reason = "spot/instance-action: " + action.action,
          .deadline =
              now_on(CLOCK_MONOTONIC) + (action.time.time_since_epoch() - now_on(CLOCK_REALTIME))};
}

}  // namespace

ImdsWatch::ImdsWatch(ImdsWatchOptions options)
    : options_(std::move(options)),
      imds_(options_.endpoint, options_.timeout),
      thread_(base::quiet_thread([this] { run(); })) {}

ImdsWatch::~ImdsWatch() {
  imds_.wake();
  thread_.join();
}

std::optional<Notice> ImdsWatch::notice() const {
  if (!noticed_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(mutex_);
  return notice_;
}

void ImdsWatch::run() {
  while (!imds_.woken()) {
    look_for_notice();
    if (noticed_) return;
    if (!rebalance_ && !imds_.woken()) look_for_recommendation();
    imds_.wait(options_.interval);
  }
}

std::optional<std::string> ImdsWatch::look(const std::string& path) {
  ImdsAnswer answer = imds_.get(path);
  if (imds_.woken()) return {};
  const bool failed = answer.kind == ImdsAnswer::Kind::failed;
  if (failed && !failing_) {
    options_.report("cannot look for interruption notices, and keeps trying: " + answer.text);
  }
  if (!failed && failing_) options_.report("instance metadata answers again");
  failing_ = failed;
  if (answer.kind != ImdsAnswer::Kind::found) return {};
  return std::move(answer.text);
}

void ImdsWatch::look_for_notice() {
  const auto body = look("meta-data/spot/instance-action");
  if (!body) return;
  const auto action = base::parse_instance_action(*body);
  if (!action) return options_.report("spot/instance-action is no notice: " + body->substr(0, 80));
  const std::lock_guard lock(mutex_);
  notice_ = notice_of(*action);
  noticed_.store(true, std::memory_order_release);
}

void ImdsWatch::look_for_recommendation() {
  const auto body = look("meta-data/events/recommendations/rebalance");
  if (body && base::is_rebalance_recommendation(*body))
    rebalance_.store(true, std::memory_order_release);
}

}  // namespace spottrain
