// Amazon EventBridge: buses, their rules, and the targets that a rule's events go to. A schedule's
// events go to its own rule only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/simulation.h"
#include "sim/messaging/event_pattern.h"
#include "sim/messaging/ids.h"
#include "sim/messaging/schedule.h"
#include "sim/messaging/target_input.h"

namespace sim::messaging {

using TagMap = std::map<std::string, std::string>;

struct Target {
  std::string id, arn;
  TargetInput input = {};
  std::string group = {};  // MessageGroupId of a FIFO queue
};

struct Rule {
  std::string name, arn, bus;
  std::string pattern = {};  // as the client wrote it; empty: it has a schedule only
  std::shared_ptr<const EventPattern> compiled = {};
  std::string schedule = {};  // "rate(5 minutes)"; empty: none
  std::optional<Schedule> times = {};
  std::optional<EventId> next = {};  // of its schedule
  std::string description = {};
  bool enabled = true;
  TagMap tags = {};
  std::map<std::string, Target> targets = {};  // by ID
};

struct Bus {
  std::string name, arn;
  TagMap tags = {};
  std::map<std::string, Rule> rules = {};
};

// What PutRule says.
struct RuleSettings {
  std::string name, pattern, schedule, description;
  bool enabled = true;
};

// An event without ID, account and region, which the bus adds.
struct NewEvent {
  std::string source, detail_type;
  std::vector<std::string> resources = {};
  Json detail = Json::object();
  std::optional<Time> time = {};  // empty: now
};

struct Account {
  std::string id, region;
};

// Delivers a text to a target. What a target refuses is lost, as at AWS after its retries.
using Deliver = std::function<void(const Target& target, const std::string& text)>;
// Whether a target with this ARN can be delivered to.
using CanDeliver = std::function<bool(const std::string& arn)>;

// Functions throw ApiError: ResourceNotFoundException, ResourceAlreadyExistsException,
// ValidationException, InvalidEventPatternException, LimitExceededException.
class EventBuses {
 public:
  // `delay`: from an event to its delivery. The simulation outlives this.
  EventBuses(Simulation& simulation, const Streams& streams, Account account, Duration delay,
             CanDeliver can_deliver, Deliver deliver);
  ~EventBuses();

  // A bus may be named by its ARN everywhere; an empty name is "default".
  const Bus& create_bus(const std::string& name, TagMap tags);
  void delete_bus(const std::string& name);
  const std::map<std::string, Bus>& buses() const { return buses_; }
  const Bus& bus(const std::string& name) const;

  const Rule& put_rule(const std::string& bus, const RuleSettings& settings, const TagMap& tags);
  void delete_rule(const std::string& bus, const std::string& name);  // with targets: refused
  void enable(const std::string& bus, const std::string& name, bool enabled);
  const Rule& rule(const std::string& bus, const std::string& name) const;
  void put_target(const std::string& bus, const std::string& rule, Target target);
  // False: the rule has no such target.
  bool remove_target(const std::string& bus, const std::string& rule, const std::string& id);

  // The tags of a rule or a bus.
  TagMap& tags(const std::string& arn);

  // Returns the event's ID.
  std::string put(const std::string& bus, const NewEvent& event);

 private:
  Bus& own(const std::string& bus);
  Rule& own(const std::string& bus, const std::string& rule);
  Json whole(const NewEvent& event);
  void send(const Rule& rule, const Json& event);
  void arm(Rule& rule);

  Simulation& simulation_;
  Ids ids_;
  Account account_;
  Duration delay_;
  CanDeliver can_deliver_;
  Deliver deliver_;
  std::map<std::string, Bus> buses_;
};

}  // namespace sim::messaging
