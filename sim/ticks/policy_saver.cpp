#include "sim/ticks/policy_saver.h"

#include <algorithm>

namespace sim::sweep {
namespace {

// A checkpoint's size is not known here, and matters only beside the time that writing it takes.
constexpr std::uint64_t kNominalBytes = 1'000'000'000;

}  // namespace

PolicySaver::PolicySaver(const TickJob& job)
    : job_(job),
      policies_(job.checkpoint_policy),
      tells_future_(policies_.need(policies::Input::next_interruption)) {}

void PolicySaver::launched(Time at, Duration done, const std::optional<SpotTerms>& terms) {
  launched_ = at;
  terms_ = terms;
  notice_at_.reset(), rebalance_at_.reset();
  if (terms) {
    const auto before = [&](Duration time) { return std::max(at, terms->taken_at - time); };
    if (job_.notice > Duration::zero()) notice_at_ = before(job_.notice);
    if (job_.rebalance > Duration::zero()) rebalance_at_ = before(job_.rebalance);
  }
  price_.reset();
  heard_.reset();
  to_ask_ = job_.step;
  saved_step_ = done / job_.step;
  stopped_ = false;
}

void PolicySaver::interrupted() {
  lives_.push_back((notice_at_ ? *notice_at_ : terms_->taken_at) - launched_);
}

void PolicySaver::see_price(double price) {
  if (price_ && *price_ != price) hear_news();
  price_ = price;
}

Duration PolicySaver::until_asked(Time at) {
  if (!heard_) saved_at_ = at;
  if (has_news(at)) hear_news();
  heard_ = at;
  Duration until = to_ask_;
  for (const std::optional<Time>& news : {notice_at_, rebalance_at_})
    if (news && *news > at) until = std::min(until, *news - at);
  return until;
}

bool PolicySaver::computed(Duration piece, Time at, Duration done) {
  to_ask_ -= piece;
  if (has_news(at)) to_ask_ %= job_.step;  // now, where a step has just ended
  heard_ = at;
  if (to_ask_ > Duration::zero()) return false;
  const policies::CheckpointState now = state(at, done);
  const bool wants = policies_.decide(now) && now.last_checkpoint_step != now.step;
  stopped_ = now.notice && !wants;
  if (!wants) wait_for(policies_.quiet(now), done);
  return wants;
}

void PolicySaver::saved(Time at, Duration done) {
  saved_step_ = done / job_.step;
  saved_at_ = at;
  stopped_ = noticed(at);
  wait_for(policies_.quiet(state(at, done)), done);
}

bool PolicySaver::noticed(Time at) const { return notice_at_ && at >= *notice_at_; }

// Since it was heard last.
bool PolicySaver::has_news(Time at) const {
  const auto came = [&](const std::optional<Time>& news) {
    return news && *heard_ < *news && *news <= at;
  };
  return heard_ && (came(notice_at_) || came(rebalance_at_));
}

// Asked at the end of a step, the first after so much computing; not after the end of the work.
void PolicySaver::wait_for(Duration quiet, Duration done) {
  const Duration most = std::max(std::min(quiet, job_.work - done), Duration{1});
  const Duration into_step = done % job_.step;
  to_ask_ = (into_step + most + job_.step - Duration{1}) / job_.step * job_.step - into_step;
}

// At the end of the step at hand.
void PolicySaver::hear_news() {
  if (to_ask_ > Duration::zero()) to_ask_ = (to_ask_ - Duration{1}) % job_.step + Duration{1};
}

policies::CheckpointState PolicySaver::state(Time at, Duration done) const {
  const bool notice = noticed(at);
  policies::CheckpointState state{
      .step = done / job_.step,
      .steps_per_epoch = std::max<std::int64_t>(job_.epoch / job_.step, 1),
      .now = at.time_since_epoch(),
      .last_checkpoint_step = saved_step_,
      .last_checkpoint_time = saved_at_.time_since_epoch(),
      .notice = notice,
      .rebalance = rebalance_at_ && at >= *rebalance_at_,
      .step_time = job_.step,
      .checkpoint_cost = job_.checkpoint_cost,
      .persist_time = job_.checkpoint_cost,
      .checkpoint_bytes = kNominalBytes,
      .write_speed =
          static_cast<double>(kNominalBytes) / std::max(seconds(job_.checkpoint_cost), 1e-9),
      .restart_cost = job_.changeover,
      .remaining_work = job_.work - done,
      .since_launch = at - launched_,
      .lives = std::span<const Duration>(lives_)};
  if (terms_) {
    state.price = price_, state.bid = terms_->bid;
    const Duration left = std::max(terms_->taken_at - at, Duration::zero());
    if (notice) state.time_left = left;
    if (tells_future_) state.next_interruption = left, state.next_save = job_.checkpoint_cost;
  }
  return state;
}

}  // namespace sim::sweep
