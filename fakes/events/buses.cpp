// Buses, their events, and tags.
#include "fakes/events/actions.h"
#include "fakes/events/page.h"
#include "sim/kernel/shallow_json.h"

namespace fakes::events {
namespace {

using sim::messaging::Bus;

constexpr std::size_t kLargestEntries = 256 * 1024;

// The size of an entry as AWS counts it (EventBridge User Guide, "Calculating PutEvents event entry
// size").
std::size_t size_of(const api::events::PutEventsRequestEntry& entry) {
  std::size_t size = entry.time ? 14 : 0;
  for (const auto& text : {entry.source, entry.detail_type, entry.detail})
    size += text.value_or("").size();
  for (const std::string& resource : entry.resources) size += resource.size();
  return size;
}

// Puts one entry on its bus. Throws ApiError if the entry is refused.
std::string put_one(Call& call, const api::events::PutEventsRequestEntry& entry) {
  for (const auto& [name, text] :
       {std::pair("Source", entry.source), std::pair("DetailType", entry.detail_type),
        std::pair("Detail", entry.detail)})
    if (text.value_or("").empty())
      throw ApiError("InvalidArgument", std::string("Parameter ") + name +
                                            " is not valid. Reason: " + name +
                                            " is a required argument.");
  if (entry.source->starts_with("aws."))
    throw ApiError("NotAuthorizedForSourceException", "Not authorized for the source.");
  auto detail = sim::parse_shallow_json(*entry.detail);
  if (!detail.is_object()) throw ApiError("MalformedDetail", "Detail is malformed.");
  sim::messaging::NewEvent event{.source = *entry.source,
                                 .detail_type = *entry.detail_type,
                                 .resources = entry.resources,
                                 .detail = std::move(detail)};
  if (entry.time) event.time = sim::Time(entry.time->time_since_epoch());
  return buses(call).put(entry.event_bus_name.value_or(""), event);
}

}  // namespace

op::CreateEventBus::Response create_bus(Call& call, const op::CreateEventBus::Request& request) {
  if (request.event_source_name)
    throw ApiError("ResourceNotFoundException",
                   "Event source " + *request.event_source_name + " does not exist.");
  return {.event_bus_arn = buses(call).create_bus(request.name.value(), tags_in(request.tags)).arn};
}

op::DeleteEventBus::Response delete_bus(Call& call, const op::DeleteEventBus::Request& request) {
  buses(call).delete_bus(request.name.value());
  return {};
}

op::DescribeEventBus::Response describe_bus(Call& call,
                                            const op::DescribeEventBus::Request& request) {
  const Bus& bus = buses(call).bus(request.name.value_or(""));
  return {.arn = bus.arn, .name = bus.name};
}

op::ListEventBuses::Response list_buses(Call& call, const op::ListEventBuses::Request& request) {
  const std::string prefix = request.name_prefix.value_or("");
  op::ListEventBuses::Response response;
  response.event_buses.give();
  response.next_token = page(
      buses(call).buses(), request.next_token, request.limit,
      [&](const Bus& bus) { return bus.name.starts_with(prefix); },
      [&](const Bus& bus) { response.event_buses.push_back({.arn = bus.arn, .name = bus.name}); });
  return response;
}

op::PutEvents::Response put_events(Call& call, const op::PutEvents::Request& request) {
  std::size_t size = 0;
  for (const auto& entry : request.entries) size += size_of(entry);
  if (size > kLargestEntries)
    throw ApiError("ValidationException",
                   "Total size of the entries in the request is over the limit.");
  op::PutEvents::Response response{.failed_entry_count = 0};
  for (const auto& entry : request.entries) {
    try {
      response.entries.push_back({.event_id = put_one(call, entry)});
    } catch (const ApiError& refused) {
      response.entries.push_back({.error_code = refused.code(), .error_message = refused.what()});
      ++*response.failed_entry_count;
    }
  }
  return response;
}

op::TagResource::Response tag_resource(Call& call, const op::TagResource::Request& request) {
  auto& tags = buses(call).tags(request.resource_arn.value());
  for (const auto& tag : request.tags) tags[tag.key.value()] = tag.value.value();
  return {};
}

op::UntagResource::Response untag_resource(Call& call, const op::UntagResource::Request& request) {
  auto& tags = buses(call).tags(request.resource_arn.value());
  for (const std::string& key : request.tag_keys) tags.erase(key);
  return {};
}

op::ListTagsForResource::Response list_tags(Call& call,
                                            const op::ListTagsForResource::Request& request) {
  op::ListTagsForResource::Response response;
  response.tags.give();
  for (const auto& [key, value] : buses(call).tags(request.resource_arn.value()))
    response.tags.push_back({.key = key, .value = value});
  return response;
}

}  // namespace fakes::events
