#include "sim/guest/fiber/spot_watch.h"

#include <algorithm>

#include "orchestrator/instance/training.h"

namespace sim::guest {
namespace {

double dollars(market::Usd price) { return static_cast<double>(price.nano) / 1e9; }

// The time at which EC2 announced the interruption, or interrupted without a notice.
std::optional<Time> struck_at(const cloud::Instance& instance) {
  if (instance.interruption_notice_at) return instance.interruption_notice_at;
  const bool taken = instance.state_reason_code == "Server.SpotInstanceTermination";
  return taken ? instance.shutting_down_at : std::nullopt;
}

// The lives of the job's interrupted spot instances, which have the same user data, from launch to
// interruption. The earliest interruption comes first.
std::vector<Duration> lives_before(const cloud::Cloud& cloud, const cloud::Instance& self) {
  std::vector<std::pair<Time, Duration>> ended;
  for (const auto& [id, instance] : cloud.instances()) {
    const auto struck = struck_at(instance);
    if (struck && id != self.id && instance.spec.user_data == self.spec.user_data)
      ended.emplace_back(*struck, *struck - instance.launched_at);
  }
  std::sort(ended.begin(), ended.end());
  std::vector<Duration> lives;
  for (const auto& [at, life] : ended) lives.push_back(life);
  return lives;
}

}  // namespace

SpotWatch::SpotWatch(cloud::Cloud& cloud, const cloud::InstanceId& instance,
                     NextInterruption next_interruption)
    : market_(cloud.market()),
      instance_(cloud.instance(instance)),
      pool_{instance_.spec.instance_type, instance_.spec.availability_zone},
      lives_(lives_before(cloud, instance_)) {
  if (instance_.lifecycle != cloud::Lifecycle::kSpot) return;
  bid_ = dollars(cloud.max_price(instance_.spec));
  next_interruption_ = std::move(next_interruption);
}

void SpotWatch::look_at_price(Time t) {
  if (t < price_until_) return;
  const auto price = market_.spot_price(pool_, t);
  if (price) price_ = dollars(*price);
  price_until_ = market_.next_price(pool_, t).value_or(Time::max());
}

bool SpotWatch::has_news(Time t) const {
  return bid_ &&
         (t >= price_until_ || instance_.rebalance_recommended_at.has_value() != rebalance_);
}

void SpotWatch::look(Time t, policies::CheckpointState& state) {
  state.lives = lives_;
  if (!bid_) return;
  look_at_price(t);
  state.price = price_;
  state.bid = bid_;
  state.rebalance = rebalance_ = instance_.rebalance_recommended_at.has_value();
  if (state.notice && instance_.interruption_at)
    state.time_left = *instance_.interruption_at - spotrun::kReleaseTime - t;
  if (!next_interruption_) return;
  if (const auto next = next_interruption_(instance_.id))
    state.next_interruption = next->at - t - (next->noticed ? spotrun::kReleaseTime : Duration{});
}

}  // namespace sim::guest
