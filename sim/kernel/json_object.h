// Makes a JSON object from its members. Json's own braces, which make an array of each member
// first, take three times as long.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

namespace sim {

using Json = nlohmann::ordered_json;

inline Json json_object(std::initializer_list<std::pair<const char*, Json>> members) {
  Json::object_t object;
  object.reserve(members.size());
  for (const auto& [name, value] : members) object.emplace_back(name, value);
  return object;
}

}  // namespace sim
