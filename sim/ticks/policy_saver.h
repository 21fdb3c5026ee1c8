// A job that saves by checkpoint policies. The policies are asked after each step of computing, as
// in a training program. Steps at which the policies are known to be quiet are skipped.
#pragma once

#include <optional>
#include <vector>

#include "policies/checkpoint/policy.h"
#include "sim/kernel/time.h"
#include "sim/ticks/tick_run.h"

namespace sim::ticks {

// The terms of a spot instance.
struct SpotTerms {
  double bid = 0;   // USD an hour
  Time taken_at{};  // by EC2
};

// Owns a run's checkpoint policies and the state that they see. TickProgress calls it with every
// event of the job, in order of time.
class PolicySaver {
 public:
  explicit PolicySaver(const TickJob& job);

  // An instance begins, with the terms of a spot instance, or none on demand. The work `done` is
  // saved.
  void launched(Time at, Duration done, const std::optional<SpotTerms>& terms);
  void interrupted();
  // Sets the current price of the spot instance, in USD an hour.
  void see_price(double price);

  // Computes all of `piece` if the policies are neither asked nor get news during it. Otherwise
  // returns false and computes nothing.
  bool computes_on(Duration piece, Time at) {
    if (stopped_ || piece >= to_ask_ || at + piece >= next_news_) return false;
    to_ask_ -= piece;
    return true;
  }
  // The computing time from now until the policies are asked or get news.
  Duration until_asked(Time at);
  // `piece` has been computed. True if the policies request a checkpoint now.
  bool computed(Duration piece, Time at, Duration done);
  // The requested checkpoint is complete, and computing continues.
  void saved(Time at, Duration done);
  // The job has stopped on request: it computes nothing more on this instance.
  bool stopped() const { return stopped_; }

 private:
  const policies::CheckpointState& see(Time at, Duration done);
  bool noticed(Time at) const;
  void begin(Time at);
  void await_news(Time at);
  void hear_news();
  void wait_for(Duration quiet, Duration done);

  const TickJob& job_;
  policies::CheckpointPolicies policies_;
  const bool tells_future_;
  std::vector<Duration> lives_;  // of spot instances, until the notice
  Time launched_{};
  std::optional<SpotTerms> terms_;
  std::optional<Time> notice_at_, rebalance_at_;
  bool begun_ = false;  // has computed
  Time next_news_{};    // next unprocessed news; Time::max(): none
  Duration to_ask_{};   // computing time until the policies are asked
  bool stopped_ = false;
  policies::CheckpointState state_;  // as the policies last received it
};

}  // namespace sim::ticks
