#include "orchestrator/acquire/strategy_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "orchestrator/acquire/submit.h"
#include "orchestrator/job/dollars.h"
#include "orchestrator/job/tags.h"
#include "orchestrator/job/training_progress.h"
#include "orchestrator/job/volume_search.h"
#include "orchestrator/waiting.h"
#include "policies/acquisition/trying_strategy.h"

namespace spotrun {
namespace {

using policies::MarketState;
using policies::Placement;
using policies::Rental;
using std::chrono::nanoseconds;

constexpr int kTokensATick = 10;  // of a pool, for operators that are started again

std::string name_of(Rental rental) {
  return rental == Rental::kSpot ? "spot" : rental == Rental::kOnDemand ? "on-demand" : "none";
}

std::string tag_of(const aws::Instance& instance, const char* key) {
  const auto found = instance.tags.find(key);
  return found == instance.tags.end() ? "" : found->second;
}

Rental rental_of(const aws::Instance& instance) {
  return instance.spot_request_id.empty() ? Rental::kOnDemand : Rental::kSpot;
}

class StrategyRun {
 public:
  StrategyRun(const Context& context, const Job& job, const StrategyPlan& plan,
              const std::function<void(const std::string&)>& rented)
      : context_(context),
        job_(job),
        plan_(plan),
        rented_(rented),
        longest_move_(longest_move()),
        strategy_(plan.strategy, plan.job, plan.pools.size(), longest_move_),
        began_(begin()),
        quotes_(plan.pools.size()) {
    for (const StrategyPool& from : plan.pools)
      for (const StrategyPool& to : plan.pools)
        moves_.push_back({.time = zone(from) == zone(to) ? nanoseconds{} : plan.move});
  }

  ExitCode run() {
    Time next = context_.clock.now();  // next tick to decide
    for (context_.clock.look();;) {
      try {
        const aws::Volume volume = find_job_volume(context_, job_);
        if (const auto code = outcome_of(context_, volume)) {
          patiently(context_, [&] { forget_run(context_, volume); });
          return *code;
        }
        if (context_.clock.now() < next) {
          context_.clock.sleep_between_looks(kBetweenLooks, next);
          continue;
        }
        next = decide(volume);
      } catch (const aws::ApiError& error) {
        if (!error.transient()) throw;
        context_.log.say(error.what());
      }
      context_.clock.sleep(kBetweenLooks);
      context_.clock.look();
    }
  }

 private:
  static const std::string& zone(const StrategyPool& pool) {
    return pool.instance.availability_zone;
  }

  nanoseconds longest_move() const {
    const bool several = std::any_of(
        plan_.pools.begin(), plan_.pools.end(),
        [&](const StrategyPool& pool) { return zone(pool) != zone(plan_.pools.front()); });
    return several || zone(plan_.pools.front()) != job_.volume.availability_zone ? plan_.move
                                                                                 : nanoseconds{};
  }

  // Continues the clock of a run that has begun, unless --anew restarts it. Finished work remains.
  Time begin() {
    return patiently(context_, [&] {
      const aws::Volume volume = find_job_volume(context_, job_);
      const Time now = context_.clock.now();
      const auto since = parse_iso_time(volume.tag(tags::kStrategySince));
      if (since && !plan_.anew) {
        context_.log.say("continuing the run that began at " + iso_time(*since));
        if (now - *since > plan_.job.deadline)
          context_.log.say("its deadline has passed; with --anew it counts from now");
        return *since;
      }
      if (!since) forget_outcome(context_, job_);
      context_.ec2.create_tags(volume.id, {{tags::kStrategySince, iso_time(now)}});
      return now;
    });
  }

  // Carries out the strategy's decision for the present tick. Returns the start of the next tick.
  Time decide(const aws::Volume& volume) {
    const auto held = held_now();
    const std::int64_t tick = (context_.clock.now() - began_) / plan_.job.tick;
    note_lost(held);
    quote();
    MarketState state{.job = {.tick = tick},
                      .pools = quotes_,
                      .moves = moves_,
                      .interrupted = lost_,
                      .data = pool_with_data(volume, held)};
    if (held) describe(*held, volume, state);
    state.job.done = done(volume, held);
    const Placement next = strategy_.decide(
        state, [&](const Placement& placement) { return launch(placement, tick, volume, held); });
    lost_.reset();
    if (next.rental == Rental::kIdle && held) {
      announce(next);
      end(held->id);
    }
    return std::chrono::ceil<Duration>(began_ + (tick + 1) * plan_.job.tick);
  }

  // The job's instance. If EC2 interrupts the instance, this function waits for the end of the
  // instance. There are several if an earlier operator ended between a launch and the end of the
  // replaced instance; then the newest one counts.
  std::optional<aws::Instance> held_now() {
    for (Poll poll(context_.clock);; poll.wait()) {
      auto found = context_.ec2.describe_instances(
          {{std::string("tag:") + tags::kRentedFor, {volume_tag(job_)}},
           {"instance-state-name", {"pending", "running"}}});
      std::stable_sort(found.begin(), found.end(),
                       [](const auto& a, const auto& b) { return a.launched > b.launched; });
      while (!found.empty() && (found.size() > 1 || !pool_of(found.back()))) {
        end(found.back().id);
        found.pop_back();
      }
      if (found.empty()) return {};
      if (rental_of(found[0]) == Rental::kOnDemand) return found[0];
      if (!is_marked(context_, found[0].spot_request_id)) return found[0];
      if (poll.waited() >= kLongestNotice) return {};
      context_.log.say(found[0].id + " is being taken back");
    }
  }

  void note_lost(const std::optional<aws::Instance>& held) {
    if (known_ && (!held || held->id != known_->id)) {
      context_.log.say(known_->id + " is gone");
      if (rental_of(*known_) == Rental::kSpot) lost_ = pool_of(*known_);
    }
    known_ = held;
  }

  std::optional<std::size_t> pool_of(const aws::Instance& instance) const {
    for (std::size_t p = 0; p < plan_.pools.size(); ++p)
      if (plan_.pools[p].instance.instance_type == instance.instance_type &&
          zone(plan_.pools[p]) == instance.availability_zone)
        return p;
    return {};
  }

  // A pool without a price does not offer spot instances.
  void quote() {
    std::set<std::string> types;
    for (const StrategyPool& pool : plan_.pools) types.insert(pool.instance.instance_type);
    const auto prices =
        context_.ec2.spot_prices({types.begin(), types.end()}, context_.clock.now());
    for (std::size_t p = 0; p < plan_.pools.size(); ++p) {
      const StrategyPool& pool = plan_.pools[p];
      const auto price = std::find_if(prices.begin(), prices.end(), [&](const aws::SpotPrice& s) {
        return s.instance_type == pool.instance.instance_type && s.availability_zone == zone(pool);
      });
      const bool there = price != prices.end();
      quotes_[p] = {.instances = there ? 1 : 0,
                    .spot = there ? price->dollars : pool.on_demand,
                    .on_demand = pool.on_demand};
    }
  }

  // A pool in the volume's zone: that of the instance, or else the first one.
  std::optional<std::size_t> pool_with_data(const aws::Volume& volume,
                                            const std::optional<aws::Instance>& held) const {
    if (held && held->availability_zone == volume.availability_zone) return pool_of(*held);
    for (std::size_t p = 0; p < plan_.pools.size(); ++p)
      if (zone(plan_.pools[p]) == volume.availability_zone) return p;
    return {};
  }

  void describe(const aws::Instance& held, const aws::Volume& volume, MarketState& state) const {
    state.job.now = rental_of(held);
    state.pool = *pool_of(held);
    state.bid = parse_dollars(tag_of(held, tags::kMaxPrice)).value_or(0);
    if (read_progress(volume).trains_on == held.id) return;
    const bool moves = held.availability_zone != volume.availability_zone;
    const nanoseconds all = plan_.job.changeover + (moves ? plan_.move : nanoseconds{});
    state.job.changeover_left =
        std::max<nanoseconds>(all - (context_.clock.now() - held.launched), Duration{1});
  }

  nanoseconds done(const aws::Volume& volume, const std::optional<aws::Instance>& held) const {
    Progress progress = progress_of(volume);
    if (held && progress.trains_on == held->id)
      progress.trained[held->instance_type] += context_.clock.now() - progress.since;
    std::chrono::duration<double, std::nano> sum{};
    for (const auto& [type, time] : progress.trained) sum += time * speed_of(type);
    return std::min(std::chrono::floor<nanoseconds>(sum), plan_.job.work);
  }

  // If the volume has failed, the progress is that of its backup.
  Progress progress_of(aws::Volume volume) const {
    if (volume.state == "error")
      if (const auto backup = newest_backup(context_.ec2, job_, volume))
        take_back_progress(volume.tags, parse_iso_time(backup->start_time).value_or(Time{}));
    return read_progress(volume);
  }

  double speed_of(const std::string& type) const {
    for (const StrategyPool& pool : plan_.pools)
      if (pool.instance.instance_type == type) return pool.speed;
    return 1;  // an instance type that is no longer in the fleet file: the slowest
  }

  // Launches the new instance before the old one ends. It is pending, and free, while the old one
  // shuts down, so a refused launch costs nothing. The deadline depends on on-demand capacity, so
  // another pool is better than none.
  bool launch(const Placement& wish, std::int64_t tick, const aws::Volume& volume,
              const std::optional<aws::Instance>& held) {
    std::vector<std::size_t> pools{wish.pool};
    if (wish.rental == Rental::kOnDemand) append_others_by_price(pools);
    for (const std::size_t pool : pools) {
      const Placement placement{wish.rental, pool, wish.bid};
      const std::string id = rent(placement, tick, volume);
      if (id.empty()) continue;
      announce(placement);
      rented_(id);
      const aws::NewInstance& like = plan_.pools[pool].instance;
      known_ = aws::Instance{.id = id,
                             .instance_type = like.instance_type,
                             .availability_zone = like.availability_zone,
                             .spot_request_id = wish.rental == Rental::kSpot ? "its own" : ""};
      if (held) end(held->id);
      return true;
    }
    return false;
  }

  void append_others_by_price(std::vector<std::size_t>& pools) const {
    const std::size_t first = pools.front();
    for (std::size_t p = 0; p < plan_.pools.size(); ++p)
      if (p != first) pools.push_back(p);
    std::stable_sort(pools.begin() + 1, pools.end(), [&](std::size_t a, std::size_t b) {
      return plan_.pools[a].on_demand < plan_.pools[b].on_demand;
    });
  }

  // Returns the instance's ID, or an empty text if EC2 has no capacity.
  std::string rent(const Placement& placement, std::int64_t tick, const aws::Volume& volume) {
    const bool spot = placement.rental == Rental::kSpot;
    aws::NewInstance instance = plan_.pools[placement.pool].instance;
    instance.tags[tags::kRentedFor] = volume_tag(job_);
    if (spot) {
      instance.max_price = format_dollars(placement.bid);
      instance.tags[tags::kMaxPrice] = instance.max_price;
    }
    try {
      // An operator that restarts in the same tick gets the same instance, unless that one is lost.
      for (int nth = 0; nth < kTokensATick; ++nth) {
        instance.client_token =
            fmt::format("{}-{}-{}-{}{}-{}", volume.id, began_.time_since_epoch().count(), tick,
                        spot ? "s" : "d", placement.pool, nth);
        if (const std::string id = run_unless_lost(instance); !id.empty()) return id;
      }
      return "";
    } catch (const aws::ApiError& error) {
      if (!aws::is_out_of_capacity(error)) throw;
      context_.log.say(fmt::format("{} {} in {}: {}", name_of(placement.rental),
                                   instance.instance_type, instance.availability_zone,
                                   error.what()));
      return "";
    }
  }

  // Returns the instance's ID. Empty if its token was used in this tick for an instance that has
  // ended, or for another price; held_now() did not find it.
  std::string run_unless_lost(const aws::NewInstance& instance) {
    try {
      const std::string id = context_.ec2.run_instance(instance);
      const auto found = patiently(context_, [&] { return context_.ec2.find_instance(id); });
      const bool lost = found && found->state != "pending" && found->state != "running";
      return lost ? "" : id;
    } catch (const aws::ApiError& error) {
      if (error.code() != "IdempotentParameterMismatch" &&
          error.code() != "IdempotentInstanceTerminated")
        throw;
      return "";
    }
  }

  void announce(const Placement& placement) {
    const aws::NewInstance& instance = plan_.pools[placement.pool].instance;
    nlohmann::ordered_json fields{{"rental", name_of(placement.rental)}};
    std::string line = "renting " + name_of(placement.rental);
    if (placement.rental != Rental::kIdle) {
      fields["instance_type"] = instance.instance_type;
      fields["availability_zone"] = instance.availability_zone;
      line += fmt::format(" {} in {}", instance.instance_type, instance.availability_zone);
    }
    if (placement.rental == Rental::kSpot) {
      fields["max_price"] = format_dollars(placement.bid);
      line += fmt::format(" for at most {} USD an hour", format_dollars(placement.bid));
    }
    context_.log.event("decision", fields);
    context_.log.say(line);
  }

  // The operating system of the instance shuts down. So the trainer gets SIGTERM and saves, and the
  // volume is released. The strategy does not count this end as a loss, even if no request is
  // answered.
  void end(const std::string& instance_id) {
    context_.log.say("ending " + instance_id);
    if (known_ && known_->id == instance_id) known_.reset();
    patiently(context_, [&] {
      try {
        context_.ec2.terminate_instance(instance_id);
      } catch (const aws::ApiError& error) {
        if (error.code() != "InvalidInstanceID.NotFound") throw;
      }
    });
  }

  const Context& context_;
  const Job& job_;
  const StrategyPlan& plan_;
  const std::function<void(const std::string&)>& rented_;
  nanoseconds longest_move_;
  policies::TryingStrategy strategy_;
  Time began_;
  std::vector<policies::PoolQuote> quotes_;
  std::vector<policies::PoolMove> moves_;
  std::optional<aws::Instance> known_;  // instance at the last poll or launch
  std::optional<std::size_t> lost_;     // pool that lost a spot instance since the last decision
};

}  // namespace

ExitCode run_strategy(const Context& context, const Job& job, const StrategyPlan& plan,
                      const std::function<void(const std::string&)>& rented) {
  return StrategyRun(context, job, plan, rented).run();
}

}  // namespace spotrun
