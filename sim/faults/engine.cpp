#include "sim/faults/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cloud/error.h"
#include "sim/events/read.h"
#include "sim/faults/take_back.h"
#include "sim/kernel/check.h"

namespace sim::faults {
namespace {

Strike strike_of(const events::AnyEvent& line) {
  Strike strike{.volume = line.text("volume_id"), .snapshot = line.text("snapshot_id")};
  for (const std::string_view field : {"instance_id", "caller", "machine"})
    if (strike.machine.empty()) strike.machine = line.text(field);
  return strike;
}

// The host must know about the fault before the instance boots.
bool waits_for_a_write(const Fault& fault) {
  return find_kind(fault.kind)->needs == guest::GuestFault::What::kTornWrite;
}

// Whether this is the ID of an instance, which another region has.
bool is_elsewhere(std::string_view machine) { return machine.starts_with("i-"); }

bool names_machine(std::string_view field) {
  return field == "instance_id" || field == "machine" || field == "caller";
}

}  // namespace

Engine::Engine(Simulation& simulation, EventLog& log, const Streams& streams, cloud::Cloud& cloud,
               guest::FaultTarget& guests, JobFacts job, Foretell foretell, std::string region)
    : log_(log),
      region_(std::move(region)),
      streams_(streams),
      ongoing_(simulation),
      job_(std::move(job)),
      targets_{simulation, log, cloud, guests, ongoing_, launched_, job_},
      foretell_(std::move(foretell)) {
  for (const auto& [id, instance] : cloud.instances()) launched_.push_back(id);
  std::ranges::stable_sort(launched_, {}, [&cloud](const cloud::InstanceId& id) {
    return cloud.instance(id).launched_at;
  });
  cloud.observe(*this);
  cloud.set_pace([this](std::string_view transition, Duration drawn) {
    return ongoing_.on_transition(transition, drawn);
  });
  log.listeners().on(*this, &Engine::trainer_starts);
  log.listeners().on(*this, &Engine::checkpoint_durable);
  log.listeners().on(*this, &Engine::checkpoint_written);
}

void Engine::follow(const Plan& plan) {
  for (const Fault& fault : plan) {
    Tally& tally = tallies_.emplace_back();
    const std::int64_t place = std::ssize(tallies_);
    tally.part = fault.chance >= 1 ||
                 streams_.stream("fault-chance", std::to_string(place)).uniform() < fault.chance;
    if (tally.part) arm(fault, place);
  }
}

std::int64_t Engine::inject(fakes::fis::InjectedFault injected) {
  const Kind* const kind = find_kind(injected.kind);
  SIM_CHECK(kind != nullptr);
  if (kind->needs && !targets_.guests.can(*kind->needs))
    throw cloud::ApiError(
        "ValidationException",
        fmt::format("The instances of this run cannot have the fault {}.", injected.kind));
  Fault& fault = injected_.emplace_back(Fault{.kind = injected.kind, .when = AtTime{}});
  for (auto& argument : injected.arguments)
    std::visit([&](auto& value) { fault.arguments.set(argument.first, std::move(value)); },
               argument.second);
  tallies_.emplace_back();
  const std::int64_t place = std::ssize(tallies_);
  const Armed armed{&fault, kind, place};
  Strike strike{.machine = std::move(injected.machine), .applies = std::move(injected.applies)};
  if (injected.after > Duration{})
    strike_after(armed, injected.after, std::move(strike));
  else
    strike_or_throw(armed, std::move(strike));
  return place;
}

void Engine::arm(const Fault& fault, std::int64_t place) {
  const Armed armed{&fault, find_kind(fault.kind), place};
  SIM_CHECK(armed.kind != nullptr);
  if (waits_for_a_write(fault) && !fault.interruption) targets_.guests.watch_writes();
  if (const auto* at = std::get_if<AtTime>(&fault.when)) return strike_after(armed, at->after, {});
  if (const auto* drawn = std::get_if<Drawn>(&fault.when)) {
    return strike_again(armed, drawn->mean,
                        streams_.stream("fault-interval", std::to_string(place)));
  }
  if (const auto* on = std::get_if<OnEvent>(&fault.when)) await(armed, *on);
  if (std::holds_alternative<OnCall>(fault.when)) on_call_.push_back(armed);
  if (std::holds_alternative<OnMetadata>(fault.when)) on_metadata_.push_back(armed);
  if (std::holds_alternative<Lifetime>(fault.when)) on_lifetime_.push_back(armed);
}

void Engine::remove(std::int64_t fault) {
  removed_.insert(fault);
  const auto is_it = [fault](const Armed& armed) { return armed.place == fault; };
  for (std::vector<Armed>* const list : {&on_event_, &on_call_, &on_metadata_, &on_lifetime_})
    std::erase_if(*list, is_it);
  ongoing_.end(fault);
  tell_of_calls(targets_, {});
}

void Engine::await(const Armed& armed, const OnEvent& on) {
  on_event_.push_back(armed);
  // One listener per kind of event serves all faults that wait for it.
  const events::Kind kind = events::find_kind(on.event);
  if (!awaited_.insert(kind).second) return;
  log_.listeners().on_kind(kind,
                           [this](const events::AnyEvent& line, std::string_view) { hear(line); });
}

// ---- instants

bool Engine::is(const Machine& machine, std::string_view name) const {
  if (machine.empty() || machine == name) return true;
  if (!std::ranges::all_of(machine, [](char c) { return c >= '0' && c <= '9'; })) return false;
  std::size_t place = 0;
  // 0: too large to be an instance.
  std::from_chars(machine.data(), machine.data() + machine.size(), place);
  return place >= 1 && place <= launched_.size() && launched_[place - 1].value == name;
}

void Engine::instance_state(const cloud::Instance& instance,
                            std::optional<cloud::InstanceState> from) {
  if (!from) launched_.push_back(instance.id);
  if (instance.state != cloud::InstanceState::kRunning ||
      instance.lifecycle != cloud::Lifecycle::kSpot)
    return;
  for (const Armed& armed : on_lifetime_) begin_life(armed, instance);
}

// Strikes the instance at the end of its life, if it still runs.
void Engine::begin_life(const Armed& armed, const cloud::Instance& instance) {
  const Lifetime& law = std::get<Lifetime>(armed.fault->when);
  if (law.pool && pool_of(instance) != *law.pool) return;
  const Duration life =
      streams_.stream("spot-lifetime", instance.id.value).weibull(law.mean, law.shape);
  const Strike strike{.machine = instance.id.value};
  announce(armed, life, strike);
  targets_.simulation.after(life, [this, armed, strike, &instance] {
    if (instance.state == cloud::InstanceState::kRunning) strike_now(armed, strike);
  });
}

void Engine::trainer_starts(const events::TrainerStart& line) {
  if (!line.folder.empty()) job_.folder = line.folder;
}

void Engine::checkpoint_durable(const events::TrainerCheckpointDurable& line) {
  checkpoint_is_at(line.path);
}

void Engine::checkpoint_written(const events::TrainerCheckpointWritten& line) {
  checkpoint_is_at(line.path);
}

void Engine::checkpoint_is_at(std::string_view path) {
  if (path.empty()) return;
  job_.checkpoint = path;
  job_.folder = path.substr(0, path.rfind('/'));
}

// All regions write to one log. A line of a program or a call of S3 names no region, but an
// instance.
bool Engine::is_of_region(const events::AnyEvent& line) const {
  if (const std::string region = line.text("region"); !region.empty()) return region == region_;
  const std::string machine = strike_of(line).machine;
  if (targets_.cloud.instances().contains({machine})) return true;
  return region_.empty() && !is_elsewhere(machine);
}

void Engine::hear(const events::AnyEvent& line) {
  if (!is_of_region(line)) return;
  for (Armed& armed : on_event_) {
    const OnEvent& on = std::get<OnEvent>(armed.fault->when);
    if (on.event != line.name() || armed.seen >= on.nth) continue;
    const bool meant = std::ranges::all_of(on.fields, [&](const auto& field) {
      const std::string found = line.text(field.first);
      return found == field.second ||
             (names_machine(field.first) && !found.empty() && is(field.second, found));
    });
    if (!meant || !count(armed, on.nth)) continue;
    const Strike strike = strike_of(line);
    if (!armed.fault->interruption)
      strike_after(armed, on.after, strike);
    else if (finds_target(armed, strike))  // not if the instance is on demand
      waits_for_a_write(*armed.fault) ? strike_now(armed, strike)
                                      : strike_after(armed, on.after, strike);
  }
}

// Counts one more occurrence of the trigger. True if it is the n-th, for which the fault waits.
bool Engine::count(Armed& armed, int nth) {
  tally(armed).seen = ++armed.seen;
  return armed.seen == nth;
}

// True if the fault cuts the power of the calling machine during the call.
bool Engine::cuts_off(const Armed& armed, const Strike& strike) const {
  if (!armed.kind->cuts_power) return false;
  const cloud::Instance* const struck = struck_instance(armed.fault->arguments, strike, targets_);
  return struck && struck->id.value == strike.machine;
}

// Counts the call if the fault waits for such calls. True if it is the n-th.
bool Engine::is_the_one(Armed& armed, OnCall::Side side, const Call& call) {
  const OnCall& on = std::get<OnCall>(armed.fault->when);
  if (on.side != side || armed.seen >= on.nth) return false;
  if ((!on.action.empty() && on.action != call.action) || !is(on.caller, call.caller)) return false;
  return count(armed, on.nth);
}

Engine::Trouble Engine::before(const Call& call) {
  Trouble cut;
  const Strike strike{.machine = std::string(call.caller), .action = std::string(call.action)};
  for (Armed& armed : on_call_) {
    if (!is_the_one(armed, OnCall::Side::kBefore, call)) continue;
    if (armed.kind->lasts) {
      strike_now(armed, strike);
    } else {
      strike_after(armed, {}, strike);
      if (cuts_off(armed, strike))
        cut = {.error = api::Error{"NotSent", "The power was cut before.", 503},
               .effect = false,
               .delay = fakes::kNoAnswer};
    }
  }
  return cut.error ? cut : ongoing_.on_call(call);
}

void Engine::after(const Call& call) {
  for (Armed& armed : on_call_) {
    if (is_the_one(armed, OnCall::Side::kAfter, call))
      strike_after(armed, {},
                   {.machine = std::string(call.caller), .action = std::string(call.action)});
  }
}

Engine::MetadataTrouble Engine::metadata(const cloud::InstanceId& instance, std::string_view path) {
  for (Armed& armed : on_metadata_) {
    const OnMetadata& on = std::get<OnMetadata>(armed.fault->when);
    if (armed.seen >= on.nth || (!on.path.empty() && on.path != path) ||
        !is(on.instance, instance.value))
      continue;
    if (!count(armed, on.nth)) continue;
    const Strike strike{.machine = instance.value};
    armed.kind->lasts ? strike_now(armed, strike) : strike_after(armed, {}, strike);
  }
  return ongoing_.on_metadata(instance.value, path);
}

std::string Engine::obstacle(const cloud::InstanceId& from, const cloud::InstanceId& to) {
  const auto& instances = targets_.cloud.instances();
  const auto a = instances.find(from), b = instances.find(to);
  if (a == instances.end()) return "";
  return ongoing_.on_packet(a->second, b == instances.end() ? nullptr : &b->second);
}

// ---- strikes

bool Engine::finds_target(const Armed& armed, const Strike& strike) const {
  const auto is_machine = [](const Parameter& p) { return p.type == ArgumentType::kMachine; };
  if (armed.kind->target == Target::kVolume) return struck_volume(strike, targets_) != nullptr;
  if (armed.kind->target == Target::kSnapshot) return struck_snapshot(strike, targets_) != nullptr;
  if (armed.fault->arguments.find<std::string>("subnet")) return true;   // the strike looks for it
  const bool* const later = armed.fault->arguments.find<bool>("later");  // also for later launches
  if (std::ranges::none_of(armed.kind->parameters, is_machine) || (later && *later)) return true;
  const auto* const instance = struck_instance(armed.fault->arguments, strike, targets_);
  if (!instance || instance->shutting_down_at) return false;
  return instance->lifecycle == cloud::Lifecycle::kSpot ||
         (armed.kind->target != Target::kSpotInstance && !armed.fault->interruption);
}

bool Engine::will_start() const {
  return std::ranges::any_of(ongoing_.starts_due, [this](const cloud::InstanceId& id) {
    const auto state = targets_.cloud.instance(id).state;
    return state == cloud::InstanceState::kStopping || state == cloud::InstanceState::kStopped;
  });
}

std::vector<Tally> Engine::tallies() const {
  std::vector<Tally> all(tallies_.begin(), tallies_.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].unmet = ongoing_.unmet(static_cast<std::int64_t>(i) + 1);
    all[i].not_undone = ongoing_.not_undone(static_cast<std::int64_t>(i) + 1);
  }
  return all;
}

// Makes the recommendation that precedes a strike, and announces the interruption to oracles.
void Engine::announce(const Armed& armed, Duration after, const Strike& strike) {
  Simulation& simulation = targets_.simulation;
  const Arguments& arguments = armed.fault->arguments;
  if (const auto* before = arguments.find<Duration>("rebalance"))
    simulation.after(std::max(Duration{}, after - *before), [this, armed, strike] {
      if (removed_.contains(armed.place)) return;
      armed.kind->recommend(armed.fault->arguments, strike, targets_);
    });
  if (armed.fault->interruption && !strike.machine.empty() && foretell_)
    foretell_({strike.machine}, simulation.now() + after, arguments.get<Duration>("notice"));
}

void Engine::log_strike(const Armed& armed, const Strike& strike) {
  log_.append(events::FaultStrike{.time = targets_.simulation.now(),
                                  .fault = armed.place,
                                  .kind = armed.kind->name,
                                  .machine = strike.machine,
                                  .action = strike.action});
}

// EC2 may refuse the action of a fault, as it refuses the action of a client.
void Engine::strike_now(const Armed& armed, Strike strike) {
  try {
    strike_or_throw(armed, std::move(strike));
  } catch (const cloud::ApiError& refusal) {
    tally(armed).refusal = refusal.what();
  }
}

void Engine::strike_or_throw(const Armed& armed, Strike strike) {
  if (removed_.contains(armed.place)) return;
  Tally& counts = tally(armed);
  ++counts.strikes;
  const bool is_interruption = armed.fault->interruption.has_value();
  if (!is_interruption)
    log_strike(armed, strike);
  else
    strike.interruption = &counts;
  const bool finds = !is_interruption && finds_target(armed, strike);
  ongoing_.begin_for(armed.place);
  armed.kind->strike(armed.fault->arguments, strike, targets_);
  if (finds) ++counts.found;  // EC2 did not refuse it
}

void Engine::strike_after(const Armed& armed, Duration after, Strike strike) {
  announce(armed, after, strike);
  targets_.simulation.after(
      after, [this, armed, strike = std::move(strike)] { strike_now(armed, strike); });
}

void Engine::strike_again(const Armed& armed, Duration mean, Stream stream) {
  const Duration wait = stream.exponential(mean);
  announce(armed, wait, {});
  targets_.simulation.after(wait, [this, armed, mean, stream = std::move(stream)] {
    if (removed_.contains(armed.place)) return;
    strike_now(armed, {});
    strike_again(armed, mean, stream);
  });
}

}  // namespace sim::faults
