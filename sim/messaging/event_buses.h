// Amazon EventBridge: buses, their rules, and the targets that receive a rule's events. The events
// of a schedule go to the targets of its own rule only.
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

// A receiver of a rule's events, by its ARN, and the form of the text that it gets.
struct Target {
  std::string id, arn;
  TargetInput input = {};
  std::string group = {};  // MessageGroupId of a FIFO queue
};

// A rule of a bus. A pattern selects events for it, or a schedule makes events.
struct Rule {
  std::string name, arn, bus;
  std::string pattern = {};  // as the client wrote it; empty: it has a schedule only
  std::shared_ptr<const EventPattern> compiled = {};
  std::string schedule = {};  // as the client wrote it; empty: none
  std::optional<Schedule> times = {};
  std::optional<EventId> next = {};         // the schedule's next event
  std::string description = {}, role = {};  // no policy decides about the role
  bool enabled = true;
  TagMap tags = {};
  std::map<std::string, Target> targets = {};  // by ID
};

struct Bus {
  std::string name, arn;
  TagMap tags = {};
  std::map<std::string, Rule> rules = {};
};

// The settings in a PutRule request.
struct RuleSettings {
  std::string name, pattern, schedule, description, role = {};
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

// Delivers a text to a target of the rule with the ARN `rule`. If the target refuses the text, it
// is lost, as in AWS after its retries.
using Deliver =
    std::function<void(const std::string& rule, const Target& target, const std::string& text)>;
// True if a target with this ARN can receive events.
using CanDeliver = std::function<bool(const std::string& arn)>;

// Owns the buses and rules of an account, and delivers events. fakes/events parses requests and
// calls it. Functions throw ApiError: ResourceNotFoundException, ResourceAlreadyExistsException,
// ValidationException, InvalidEventPatternException, LimitExceededException.
class EventBuses {
 public:
  // `delay` is the time from an event to its delivery. The simulation must outlive this object.
  EventBuses(Simulation& simulation, const Streams& streams, Account account, Duration delay,
             CanDeliver can_deliver, Deliver deliver);
  ~EventBuses();

  // Throws ValidationException for a text that is no ARN.
  static void check_target_arn(const std::string& arn);
  // Makes a bus. All functions accept a bus's ARN in place of its name; an empty name is "default".
  const Bus& create_bus(const std::string& name, TagMap tags);
  void delete_bus(const std::string& name);
  const std::map<std::string, Bus>& buses() const { return buses_; }
  const Bus& bus(const std::string& name) const;

  const Rule& put_rule(const std::string& bus, const RuleSettings& settings, const TagMap& tags);
  void delete_rule(const std::string& bus, const std::string& name);  // refused with targets
  void enable(const std::string& bus, const std::string& name, bool enabled);
  const Rule& rule(const std::string& bus, const std::string& name) const;
  void put_target(const std::string& bus, const std::string& rule, Target target);
  // Returns false if the rule has no such target.
  bool remove_target(const std::string& bus, const std::string& rule, const std::string& id);

  // The tags of a rule or a bus.
  TagMap& tags(const std::string& arn);

  // Puts an event on a bus, and returns the event's ID.
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
