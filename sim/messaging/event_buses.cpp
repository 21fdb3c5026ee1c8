#include "sim/messaging/event_buses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cloud/error.h"

namespace sim::messaging {
namespace {

using cloud::ApiError;

constexpr std::size_t kMostTargets = 5;  // limit for a rule (EventBridge User Guide, "Quotas")

bool is_bus_or_rule_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

ApiError invalid_name(const char* member, const std::string& name) {
  return {
      "ValidationException",
      fmt::format("1 validation error detected: Value '{}' at '{}' failed to satisfy "
                  "constraint: Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+",
                  name, member)};
}

std::string short_name(const std::string& bus) {
  if (bus.empty()) return "default";
  const auto slash = bus.rfind('/');
  return bus.starts_with("arn:") && slash != bus.npos ? bus.substr(slash + 1) : bus;
}

}  // namespace

EventBuses::EventBuses(Simulation& simulation, const Streams& streams, Account account,
                       Duration delay, CanDeliver can_deliver, Deliver deliver)
    : simulation_(simulation),
      ids_(streams),
      account_(std::move(account)),
      delay_(delay),
      can_deliver_(std::move(can_deliver)),
      deliver_(std::move(deliver)) {
  create_bus("default", {});
}

EventBuses::~EventBuses() {
  for (auto& [bus_name, bus] : buses_)
    for (auto& [name, rule] : bus.rules)
      if (rule.next) simulation_.cancel(*rule.next);
}

const Bus& EventBuses::create_bus(const std::string& name, TagMap tags) {
  if (name.find('/') != name.npos)
    throw ApiError("ValidationException", "Event bus name must not contain '/'.");
  if (!is_bus_or_rule_name(name)) throw invalid_name("name", name);
  if (buses_.contains(name))
    throw ApiError("ResourceAlreadyExistsException",
                   fmt::format("Event bus {} already exists.", name));
  const std::string arn =
      fmt::format("arn:aws:events:{}:{}:event-bus/{}", account_.region, account_.id, name);
  return buses_[name] = {.name = name, .arn = arn, .tags = std::move(tags)};
}

const Bus& EventBuses::bus(const std::string& name) const {
  const auto found = buses_.find(short_name(name));
  if (found == buses_.end())
    throw ApiError("ResourceNotFoundException",
                   fmt::format("Event bus {} does not exist.", short_name(name)));
  return found->second;
}

Bus& EventBuses::own(const std::string& name) { return const_cast<Bus&>(bus(name)); }

void EventBuses::delete_bus(const std::string& name) {
  const auto found = buses_.find(short_name(name));
  if (found == buses_.end()) return;  // AWS answers as if it existed
  if (found->first == "default")
    throw ApiError("ValidationException", "Cannot delete event bus default.");
  if (!found->second.rules.empty())
    throw ApiError("ValidationException", "EventBus can't be deleted since it has rules.");
  buses_.erase(found);
}

const Rule& EventBuses::rule(const std::string& bus_name, const std::string& name) const {
  const auto& rules = bus(bus_name).rules;
  const auto found = rules.find(name);
  if (found == rules.end())
    throw ApiError(
        "ResourceNotFoundException",
        fmt::format("Rule {} does not exist on EventBus {}.", name, short_name(bus_name)));
  return found->second;
}

Rule& EventBuses::own(const std::string& bus, const std::string& name) {
  return const_cast<Rule&>(rule(bus, name));
}

const Rule& EventBuses::put_rule(const std::string& bus_name, const RuleSettings& settings,
                                 const TagMap& tags) {
  Bus& bus = own(bus_name);
  if (!is_bus_or_rule_name(settings.name)) throw invalid_name("name", settings.name);
  if (settings.pattern.empty() && settings.schedule.empty())
    throw ApiError("ValidationException",
                   "Parameter(s) EventPattern or ScheduleExpression must be specified.");
  if (!settings.schedule.empty() && bus.name != "default")
    throw ApiError("ValidationException",
                   "ScheduleExpression is supported only on the default event bus.");
  std::shared_ptr<const EventPattern> compiled;
  if (!settings.pattern.empty()) compiled = std::make_shared<EventPattern>(settings.pattern);
  std::optional<Schedule> times;
  if (!settings.schedule.empty()) times = parse_schedule(settings.schedule);
  Rule& rule = bus.rules[settings.name];
  if (rule.name.empty()) {
    rule.name = settings.name;
    rule.bus = bus.name;
    const std::string within = bus.name == "default" ? "" : bus.name + "/";
    rule.arn = fmt::format("arn:aws:events:{}:{}:rule/{}{}", account_.region, account_.id, within,
                           rule.name);
    rule.tags = tags;
  }
  rule.pattern = settings.pattern;
  rule.compiled = std::move(compiled);
  rule.schedule = settings.schedule;
  rule.times = times;
  rule.description = settings.description;
  rule.role = settings.role;
  rule.enabled = settings.enabled;
  arm(rule);
  return rule;
}

void EventBuses::delete_rule(const std::string& bus_name, const std::string& name) {
  Bus& bus = own(bus_name);
  const auto found = bus.rules.find(name);
  if (found == bus.rules.end()) return;  // AWS answers as if it existed
  if (!found->second.targets.empty())
    throw ApiError("ValidationException", "Rule can't be deleted since it has targets.");
  if (found->second.next) simulation_.cancel(*found->second.next);
  bus.rules.erase(found);
}

void EventBuses::enable(const std::string& bus, const std::string& name, bool enabled) {
  Rule& rule = own(bus, name);
  rule.enabled = enabled;
  arm(rule);
}

void EventBuses::check_target_arn(const std::string& arn) {
  if (!arn.starts_with("arn:"))
    throw ApiError("ValidationException",
                   fmt::format("Parameter {} is not valid. Reason: Provided Arn is not in correct "
                               "format.",
                               arn));
}

void EventBuses::put_target(const std::string& bus, const std::string& name, Target target) {
  Rule& rule = own(bus, name);
  check(target.input, target.id);
  if (!can_deliver_(target.arn))
    throw ApiError("ValidationException",
                   fmt::format("Parameter {} is not valid. Reason: this simulated AWS delivers to "
                               "SQS queues, SNS topics and CloudWatch log groups only.",
                               target.arn));
  if (!rule.targets.contains(target.id) && rule.targets.size() >= kMostTargets)
    throw ApiError("LimitExceededException",
                   fmt::format("The requested resource exceeds the maximum number allowed: {} "
                               "targets for a rule.",
                               kMostTargets));
  rule.targets[target.id] = std::move(target);
}

bool EventBuses::remove_target(const std::string& bus, const std::string& name,
                               const std::string& id) {
  return own(bus, name).targets.erase(id) > 0;
}

namespace {

// "…:rule/NAME" is on the default bus, "…:rule/BUS/NAME" on another one.
ApiError no_such_resource(const std::string& arn) {
  constexpr std::string_view kRule = ":rule/";
  const auto at = arn.find(kRule);
  if (at == std::string::npos)
    return {"ResourceNotFoundException",
            fmt::format("Event bus {} does not exist.", arn.substr(arn.rfind('/') + 1))};
  const std::string path = arn.substr(at + kRule.size());
  const auto slash = path.rfind('/');
  return {"ResourceNotFoundException",
          fmt::format("Rule {} does not exist on EventBus {}.", path.substr(slash + 1),
                      slash == std::string::npos ? "default" : path.substr(0, slash))};
}

}  // namespace

TagMap& EventBuses::tags(const std::string& arn) {
  for (auto& [bus_name, bus] : buses_) {
    if (bus.arn == arn) return bus.tags;
    for (auto& [name, rule] : bus.rules)
      if (rule.arn == arn) return rule.tags;
  }
  throw no_such_resource(arn);
}

Json EventBuses::whole(const NewEvent& event) {
  return json_object({{"version", "0"},
                      {"id", ids_.uuid("event")},
                      {"detail-type", event.detail_type},
                      {"source", event.source},
                      {"account", account_.id},
                      {"time", iso_seconds(event.time.value_or(simulation_.now()))},
                      {"region", account_.region},
                      {"resources", event.resources},
                      {"detail", event.detail}});
}

std::string EventBuses::put(const std::string& bus_name, const NewEvent& event) {
  const Bus& on = bus(bus_name);
  const Json whole_event = whole(event);
  for (const auto& [name, rule] : on.rules)
    if (rule.enabled && rule.compiled && rule.compiled->matches(whole_event))
      send(rule, whole_event);
  return whole_event["id"].get<std::string>();
}

void EventBuses::send(const Rule& rule, const Json& event) {
  for (const auto& [id, target] : rule.targets)
    simulation_.after(delay_, [deliver = deliver_, rule = rule.arn, target,
                               text = input_for(target.input, event, {rule.arn, rule.name})] {
      deliver(rule, target, text);
    });
}

// The first event of a rate comes one period after the rule is enabled.
void EventBuses::arm(Rule& rule) {
  if (rule.next) simulation_.cancel(*std::exchange(rule.next, {}));
  if (!rule.times || !rule.enabled) return;
  const auto at = next_event(*rule.times, simulation_.now());
  if (!at) return;
  rule.next = simulation_.after(*at - simulation_.now(), [this, bus = rule.bus, name = rule.name] {
    Rule& due = own(bus, name);
    due.next.reset();
    send(due,
         whole({.source = "aws.events", .detail_type = "Scheduled Event", .resources = {due.arn}}));
    arm(due);
  });
}

}  // namespace sim::messaging
