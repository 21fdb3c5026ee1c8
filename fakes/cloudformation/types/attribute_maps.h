// The attributes of queues, topics and subscriptions, which their services take as a map of texts.
#pragma once

#include <span>
#include <string_view>

#include "api/types.h"
#include "fakes/cloudformation/properties.h"

namespace fakes::cloudformation {

// Takes the properties with these names. A value that is no text becomes a JSON document.
inline api::Map<std::string> take_attributes(Properties& properties,
                                             std::span<const std::string_view> names) {
  api::Map<std::string> attributes;
  for (const std::string_view name : names) {
    const sim::Json value = properties.take(name);
    if (value.is_null()) continue;
    attributes[std::string(name)] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return attributes;
}

}  // namespace fakes::cloudformation
