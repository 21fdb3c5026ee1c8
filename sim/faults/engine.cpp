#include "sim/faults/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/kernel/check.h"
#include "sim/kernel/event.h"

namespace sim::faults {
namespace {

// A field's value as a plan writes it; empty where there is none.
std::string text_of(const PlainEvent& line, std::string_view field) {
  for (const PlainEvent::Field& candidate : line.fields) {
    if (candidate.name != field) continue;
    return std::visit([](const auto& value) { return fmt::format("{}", value); }, candidate.value);
  }
  return "";
}
std::string text_of(const Event& line, std::string_view field) {
  const auto found = line.fields.find(field);
  if (found == line.fields.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

template <class Line>
Strike strike_of(const Line& line) {
  Strike strike{.volume = text_of(line, "volume_id"), .snapshot = text_of(line, "snapshot_id")};
  for (const std::string_view field : {"instance_id", "caller", "machine"})
    if (strike.machine.empty()) strike.machine = text_of(line, field);
  return strike;
}

bool tells_of_files(std::string_view kind) {
  return kind == "trainer.start" || kind == "trainer.checkpoint-durable" ||
         kind == "trainer.checkpoint-written";
}

bool names_machine(std::string_view field) {
  return field == "instance_id" || field == "machine" || field == "caller";
}

}  // namespace

Engine::Engine(const Plan& plan, Simulation& simulation, EventLog& log, const Streams& streams,
               cloud::Cloud& cloud, guest::GuestHost& guests, Told told)
    : log_(log),
      streams_(streams),
      weather_(simulation),
      told_(std::move(told)),
      targets_{simulation, log, cloud, guests, weather_, launched_, told_},
      tallies_(plan.size()) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i) + 1;
    const bool part =
        plan[i].chance >= 1 ||
        streams.stream("fault-chance", std::to_string(place)).uniform() < plan[i].chance;
    tallies_[i].part = part;
    if (part) arm(plan[i], place);
  }
  for (const auto& [id, instance] : cloud.instances()) launched_.push_back(id);
  std::ranges::stable_sort(launched_, {}, [&cloud](const cloud::InstanceId& id) {
    return cloud.instance(id).launched_at;
  });
  cloud.observe(*this);
  cloud.set_pace([this](std::string_view transition, Duration drawn) {
    return weather_.on_transition(transition, drawn);
  });
  log.subscribe({.hear = [this](const Event& line, std::string_view) { hear(line); },
                 .wants =
                     [this](std::string_view kind) {
                       if (tells_of_files(kind)) return true;
                       return std::ranges::any_of(on_event_, [kind](const Armed& armed) {
                         return std::get<OnEvent>(armed.fault->when).event == kind;
                       });
                     },
                 .hear_plain = [this](const PlainEvent& line, std::string_view) { hear(line); }});
}

void Engine::arm(const Fault& fault, std::int64_t place) {
  const Armed armed{&fault, find_kind(fault.kind), place};
  SIM_CHECK(armed.kind != nullptr);
  if (armed.kind->needs == guest::GuestFault::What::kTornWrite) targets_.guests.watch_writes();
  if (const auto* at = std::get_if<AtTime>(&fault.when)) return strike_after(armed, at->after, {});
  if (const auto* drawn = std::get_if<Drawn>(&fault.when)) {
    return strike_again(armed, drawn->mean,
                        streams_.stream("fault-interval", std::to_string(place)));
  }
  if (std::holds_alternative<OnEvent>(fault.when)) on_event_.push_back(armed);
  if (std::holds_alternative<OnCall>(fault.when)) on_call_.push_back(armed);
  if (std::holds_alternative<OnMetadata>(fault.when)) on_metadata_.push_back(armed);
}

// ---- instants

bool Engine::is(const Machine& machine, std::string_view name) const {
  if (machine.empty() || machine == name) return true;
  if (!std::ranges::all_of(machine, [](char c) { return c >= '0' && c <= '9'; })) return false;
  std::size_t place = 0;
  std::from_chars(machine.data(), machine.data() + machine.size(), place);  // 0: none so large
  return place >= 1 && place <= launched_.size() && launched_[place - 1].value == name;
}

void Engine::instance_state(const cloud::Instance& instance,
                            std::optional<cloud::InstanceState> from) {
  if (!from) launched_.push_back(instance.id);
}

template <class Line>
void Engine::hear_trainer(const Line& line) {
  if (const std::string folder = text_of(line, "folder"); !folder.empty()) told_.folder = folder;
  const std::string path = text_of(line, "path");
  if (path.empty()) return;
  told_.checkpoint = path;
  told_.folder = path.substr(0, path.rfind('/'));
}

template <class Line>
void Engine::hear(const Line& line) {
  if (tells_of_files(line.kind)) hear_trainer(line);
  for (Armed& armed : on_event_) {
    const OnEvent& on = std::get<OnEvent>(armed.fault->when);
    if (on.event != line.kind || armed.seen >= on.nth) continue;
    const bool meant = std::ranges::all_of(on.fields, [&](const auto& field) {
      const std::string found = text_of(line, field.first);
      return found == field.second ||
             (names_machine(field.first) && !found.empty() && is(field.second, found));
    });
    if (meant && count(armed, on.nth)) strike_after(armed, on.after, strike_of(line));
  }
}

// Counts one more occurrence of the trigger. True when this is the NTH, which the fault waits for.
bool Engine::count(Armed& armed, int nth) {
  tally(armed).seen = ++armed.seen;
  return armed.seen == nth;
}

// The machine that calls loses its power in the call.
bool Engine::cuts_off(const Armed& armed, const Strike& strike) const {
  if (!armed.kind->cuts_power) return false;
  const cloud::Instance* const struck = struck_instance(armed.fault->arguments, strike, targets_);
  return struck && struck->id.value == strike.machine;
}

// Counts the call where the fault waits for such ones.
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
  return cut.error ? cut : weather_.on_call(call.action, call.caller);
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
  return weather_.on_metadata(instance.value, path);
}

// ---- strikes

bool Engine::finds_target(const Armed& armed, const Strike& strike) const {
  const auto is_machine = [](const Parameter& p) { return p.type == ArgumentType::kMachine; };
  if (armed.kind->target == Target::kVolume) return struck_volume(strike, targets_) != nullptr;
  if (armed.kind->target == Target::kSnapshot) return struck_snapshot(strike, targets_) != nullptr;
  const bool* const later = armed.fault->arguments.find<bool>("later");  // of those to come
  if (std::ranges::none_of(armed.kind->parameters, is_machine) || (later && *later)) return true;
  const auto* const instance = struck_instance(armed.fault->arguments, strike, targets_);
  if (!instance || instance->shutting_down_at) return false;
  return armed.kind->target != Target::kSpotInstance ||
         instance->lifecycle == cloud::Lifecycle::kSpot;
}

std::vector<Tally> Engine::tallies() const {
  std::vector<Tally> all = tallies_;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].unmet = weather_.unmet(static_cast<std::int64_t>(i) + 1);
  return all;
}

void Engine::strike_now(const Armed& armed, const Strike& strike) {
  Json line{{"fault", armed.place}, {"kind", armed.kind->name}};
  if (!strike.machine.empty()) line["machine"] = strike.machine;
  if (!strike.action.empty()) line["action"] = strike.action;
  log_.append(targets_.simulation.now(), "fault.strike", std::move(line));
  ++tally(armed).strikes;
  if (finds_target(armed, strike)) ++tally(armed).found;
  weather_.begin_for(armed.place);
  armed.kind->strike(armed.fault->arguments, strike, targets_);
}

void Engine::strike_after(const Armed& armed, Duration after, Strike strike) {
  targets_.simulation.after(
      after, [this, armed, strike = std::move(strike)] { strike_now(armed, strike); });
}

void Engine::strike_again(const Armed& armed, Duration mean, Stream stream) {
  const Duration wait = stream.exponential(mean);
  targets_.simulation.after(wait, [this, armed, mean, stream = std::move(stream)] {
    strike_now(armed, {});
    strike_again(armed, mean, stream);
  });
}

}  // namespace sim::faults
