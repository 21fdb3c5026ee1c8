#include "sim/ticks/tick_progress.h"

#include <utility>

namespace sim::ticks {
namespace {

__int128 rounded_to_hours(__int128 an_hour_each) {
  constexpr std::int64_t kHour = Duration(1h).count();
  return (an_hour_each + kHour / 2) / kHour;
}

}  // namespace

TickProgress::TickProgress(const TickJob& job)
    : job_(job),
      saves_(!job.checkpoint_policy.empty() || job.checkpoint_interval > Duration::zero()) {
  if (!job.checkpoint_policy.empty()) saver_.emplace(job);
}

void TickProgress::interrupt() {
  settle(now(), market::Ended::kByEc2);
  if (saver_) saver_->interrupted();
  state_.now = policies::Rental::kIdle;
  ++out_.interruptions;
  state_.done -= volatile_;
  out_.lost += volatile_;
  // A checkpoint that is owed for an earlier instance remains owed.
  owed_ = volatile_ == Duration::zero() ? stall_left_ : Duration::zero();
  volatile_ = stall_left_ = Duration::zero();
}

void TickProgress::change(policies::Rental next, Duration changeover,
                          const std::optional<SpotTerms>& terms) {
  // The checkpoint at leaving takes time on the next instance, and so does the rest of an earlier
  // owed one.
  if (state_.now != policies::Rental::kIdle) {
    owed_ = volatile_ > Duration::zero() ? job_.checkpoint_cost : stall_left_;
    volatile_ = Duration::zero();
  }
  settle(now(), market::Ended::kByCustomer);
  launched_ = now();
  state_.now = next;
  if (next == policies::Rental::kIdle) return;
  if (saver_) saver_->launched(now(), state_.done, terms);
  state_.changeover_left = changeover;
  stall_left_ = std::exchange(owed_, Duration::zero());
  ++out_.launches;
}

TickOutcome TickProgress::end() {
  out_.ticks = state_.tick;
  settle(now() - out_.surplus, market::Ended::kByCustomer);
  out_.cost = market::charge(an_hour_each_, job_.tick) + out_.egress;  // rounded once
  out_.cost += market::charge(probes_an_hour_each_, kProbe);
  if (job_.billing) out_.cost += market::Usd{static_cast<std::int64_t>(rounded_to_hours(billed_))};
  return out_;
}

// Returns the part of the tick that the changeover takes.
Duration TickProgress::change_over() {
  const Duration changeover = std::min(state_.changeover_left, job_.tick);
  state_.changeover_left -= changeover;
  if (state_.changeover_left < kDone) state_.changeover_left = Duration::zero();
  out_.changeover += changeover;
  return changeover;
}

void TickProgress::compute_and_save(Duration left) {
  if (saver_)
    left = compute_asking(left);
  else
    while (left > Duration::zero() && state_.done < job_.work) left -= step(left);
  out_.surplus += left;
}

// Computes until `left` is over, the work is done, or the policies stop the job. Returns the time
// that remains.
Duration TickProgress::compute_asking(Duration left) {
  while (left > Duration::zero() && state_.done < job_.work && !saver_->stopped())
    left -= stall_left_ > Duration::zero() ? save(left) : compute_until_asked(left);
  if (!saver_->stopped() || state_.done >= job_.work) return left;
  out_.stopped += left;
  return Duration::zero();
}

// Saves. `left` is the time to the end of the tick.
Duration TickProgress::save(Duration left) {
  const Duration stalled = stall(left);
  if (stall_left_ == Duration::zero()) saver_->saved(now() - left + stalled, state_.done);
  return stalled;
}

Duration TickProgress::compute_until_asked(Duration left) {
  const Time at = now() - left;
  const Duration worked = std::min({left, job_.work - state_.done, saver_->until_asked(at)});
  work(worked);
  volatile_ += worked;
  if (saver_->computed(worked, at + worked, state_.done)) {
    checkpoint();
    if (stall_left_ == Duration::zero()) saver_->saved(at + worked, state_.done);
  }
  return worked;
}

Duration TickProgress::stall(Duration left) {
  const Duration stalled = std::min(left, stall_left_);
  out_.checkpoint += stalled;
  stall_left_ -= stalled;
  if (stall_left_ == Duration::zero()) volatile_ = Duration::zero();
  return stalled;
}

// Computes until the next checkpoint, or continues a checkpoint; at most for `left`.
Duration TickProgress::step(Duration left) {
  if (stall_left_ > Duration::zero()) return stall(left);
  const Duration worked = std::min(
      {left, job_.work - state_.done, std::max(job_.checkpoint_interval - volatile_, Duration{1})});
  work(worked);
  volatile_ += worked;
  if (volatile_ >= job_.checkpoint_interval) checkpoint();
  return worked;
}

void TickProgress::checkpoint() {
  stall_left_ = job_.checkpoint_cost;
  if (stall_left_ == Duration::zero()) volatile_ = Duration::zero();
}

void TickProgress::bill_from_now(market::Usd price) {
  if (prices_.empty() || prices_.back().price != price) prices_.push_back({now(), price});
}

// Adds the bill of the held instance, which has ended.
void TickProgress::settle(Time end, market::Ended ended) {
  if (prices_.empty()) return;
  for (const auto& part : instance_bill(prices_, launched_, end, ended, *job_.billing))
    billed_ += static_cast<__int128>(part.price.nano) * part.billed.count();
  prices_.clear();
}

}  // namespace sim::ticks
