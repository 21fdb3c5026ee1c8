#include "sim/ticks/policy_saver.h"

#include <algorithm>

namespace sim::ticks {
namespace {

// A nominal size. Only the time to write a checkpoint matters here.
constexpr std::uint64_t kNominalBytes = 1'000'000'000;

// The values that stay constant during a job.
policies::CheckpointState state_of(const TickJob& job) {
  return {.steps_per_epoch = std::max<std::int64_t>(job.epoch / job.step, 1),
          .step_time = job.step,
          .checkpoint_cost = job.checkpoint_cost,
          .persist_time = job.checkpoint_cost,
          .checkpoint_bytes = kNominalBytes,
          .write_speed =
              static_cast<double>(kNominalBytes) / std::max(seconds(job.checkpoint_cost), 1e-9),
          .restart_cost = job.changeover};
}

}  // namespace

PolicySaver::PolicySaver(const TickJob& job)
    : job_(job),
      policies_(job.checkpoint_policy),
      tells_future_(policies_.need(policies::Input::next_interruption)),
      state_(state_of(job)) {}

void PolicySaver::launched(Time at, Duration done, const std::optional<SpotTerms>& terms) {
  launched_ = at;
  terms_ = terms;
  notice_at_.reset(), rebalance_at_.reset();
  state_.bid.reset(), state_.price.reset();
  if (terms) {
    const auto before = [&](Duration time) { return std::max(at, terms->taken_at - time); };
    if (job_.notice > Duration::zero()) notice_at_ = before(job_.notice);
    if (job_.rebalance > Duration::zero()) rebalance_at_ = before(job_.rebalance);
    state_.bid = terms->bid;
  }
  state_.lives = std::span<const Duration>(lives_);
  state_.last_checkpoint_step = done / job_.step;
  begun_ = false;
  next_news_ = at;
  to_ask_ = job_.step;
  stopped_ = false;
}

void PolicySaver::interrupted() {
  lives_.push_back((notice_at_ ? *notice_at_ : terms_->taken_at) - launched_);
}

void PolicySaver::see_price(double price) {
  if (state_.price && *state_.price != price) hear_news();
  state_.price = price;
}

Duration PolicySaver::until_asked(Time at) {
  if (!begun_) begin(at);
  if (at >= next_news_) {
    hear_news();
    await_news(at);
  }
  return std::min(to_ask_, next_news_ - at);
}

bool PolicySaver::computed(Duration piece, Time at, Duration done) {
  to_ask_ -= piece;
  if (at >= next_news_) {
    to_ask_ %= job_.step;  // now, if a step has just ended
    await_news(at);
  }
  if (to_ask_ > Duration::zero()) return false;
  const policies::CheckpointState& now = see(at, done);
  const bool wants = policies_.decide(now) && now.last_checkpoint_step != now.step;
  stopped_ = now.notice && !wants;
  if (!wants) wait_for(policies_.quiet(now), done);
  return wants;
}

void PolicySaver::saved(Time at, Duration done) {
  state_.last_checkpoint_step = done / job_.step;
  state_.last_checkpoint_time = at.time_since_epoch();
  stopped_ = noticed(at);
  wait_for(policies_.quiet(see(at, done)), done);
}

// The job computes for the first time. Values that exist from the start are not news.
void PolicySaver::begin(Time at) {
  begun_ = true;
  state_.last_checkpoint_time = at.time_since_epoch();
  await_news(at);
}

bool PolicySaver::noticed(Time at) const { return notice_at_ && at >= *notice_at_; }

// Finds the policies' next news after this time.
void PolicySaver::await_news(Time at) {
  next_news_ = Time::max();
  for (const std::optional<Time>& news : {notice_at_, rebalance_at_})
    if (news && *news > at) next_news_ = std::min(next_news_, *news);
}

// The policies get news at the end of the current step, so they are asked then.
void PolicySaver::hear_news() {
  if (to_ask_ > Duration::zero()) to_ask_ = (to_ask_ - Duration{1}) % job_.step + Duration{1};
}

// Asks the policies at the end of the first step after `quiet` of computing, but not after the end
// of the work.
void PolicySaver::wait_for(Duration quiet, Duration done) {
  const Duration most = std::max(std::min(quiet, job_.work - done), Duration{1});
  const Duration into_step = done % job_.step;
  to_ask_ = (into_step + most + job_.step - Duration{1}) / job_.step * job_.step - into_step;
}

const policies::CheckpointState& PolicySaver::see(Time at, Duration done) {
  state_.step = done / job_.step;
  state_.now = at.time_since_epoch();
  state_.notice = noticed(at);
  state_.rebalance = rebalance_at_ && at >= *rebalance_at_;
  state_.remaining_work = job_.work - done;
  state_.since_launch = at - launched_;
  state_.time_left.reset();
  state_.next_interruption.reset(), state_.next_save.reset();
  if (terms_) {
    const Duration left = std::max(terms_->taken_at - at, Duration::zero());
    if (state_.notice) state_.time_left = left;
    if (tells_future_) state_.next_interruption = left, state_.next_save = job_.checkpoint_cost;
  }
  return state_;
}

}  // namespace sim::ticks
