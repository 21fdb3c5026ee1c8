// AWS::Events::Rule.
#include "api/events.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::rule {
namespace {

namespace events = api::events::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Arn"};
constexpr std::string_view kUpdated[] = {"Description",        "EventPattern", "RoleArn",
                                         "ScheduleExpression", "State",        "Targets"};
constexpr std::size_t kLongestName = 64;

std::string bus_of(const Json& properties) { return properties.value("EventBusName", "default"); }

// The physical ID of a rule on another bus is "BUS|NAME".
std::string name_in(const std::string& id) { return id.substr(id.find('|') + 1); }

void remove_targets(const ResourceCall& call, const Json& properties) {
  events::RemoveTargets::Request request{.event_bus_name = bus_of(properties),
                                         .rule = name_in(call.id())};
  if (const auto targets = properties.find("Targets"); targets != properties.end())
    for (const Json& target : *targets) request.ids.push_back(target.value("Id", ""));
  if (!request.ids.empty()) call.ask<events::RemoveTargets>(request);
}

void put_rule(const ResourceCall& call, const std::string& name) {
  Properties properties = call.properties();
  properties.take("Targets");
  const Json pattern = properties.take("EventPattern");
  if (!pattern.is_null()) properties.set("EventPattern", pattern.dump());
  properties.set("Name", name);
  call.ask<events::PutRule>(properties.request<events::PutRule>());
}

void put_targets(const ResourceCall& call, const std::string& name) {
  const Json targets = call.properties().take("Targets");
  if (targets.is_null()) return;
  const Json request = {
      {"Rule", name}, {"EventBusName", bus_of(call.resource.properties)}, {"Targets", targets}};
  call.ask<events::PutTargets>(request_of<events::PutTargets>(call.resource, request));
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const std::string name =
      properties.take_text("Name").value_or(generated_name(call, kLongestName));
  const std::string bus = bus_of(call.resource.properties);
  const std::string id = bus == "default" ? name : bus.substr(bus.rfind('/') + 1) + "|" + name;
  put_rule(call, name);
  undo_on_failure(
      id, [&] { put_targets(call, name); },
      [&] { call.ask<events::DeleteRule>({.event_bus_name = bus, .name = name}); });
  return id;
}

void update(const ResourceCall& call, const Json& before) {
  remove_targets(call, before);
  put_rule(call, name_in(call.id()));
  put_targets(call, name_in(call.id()));
}

void remove(const ResourceCall& call) {
  remove_targets(call, call.resource.properties);
  call.ask<events::DeleteRule>(
      {.event_bus_name = bus_of(call.resource.properties), .name = name_in(call.id())});
}

Json attribute(const ResourceCall& call, const std::string&) {
  std::string path = call.id();
  if (const auto bar = path.find('|'); bar != path.npos) path[bar] = '/';
  return "arn:aws:events:" + call.region() + ":" + call.account() + ":rule/" + path;
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::Events::Rule", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .attribute = attribute,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::rule
