#include "sim/scenario/errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::run {
namespace {

bool is_or_is_in(std::string_view path, std::string_view key) {
  return path.starts_with(key) &&
         (path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[');
}

}  // namespace

void Errors::add(Place place, const std::string& key, const std::string& found,
                 const std::string& expected) {
  add(place, key, fmt::format("found {}, expected {}", found, expected));
}

void Errors::add(Place place, const std::string& key, const std::string& message) {
  add_unknown(place, key, key, message);
}

void Errors::add_unknown(Place place, const std::string& path, const std::string& key,
                         const std::string& message) {
  said_.insert(path);
  const std::string* const origin = origin_of(path);
  const std::string where =
      origin ? *origin : fmt::format("{}:{}:{}", file_, place.line, place.column);
  messages_.push_back(
      {origin ? Place{0, 0} : place, path, fmt::format("{}: {}: {}", where, key, message)});
}

void Errors::add(std::string message) {
  messages_.push_back({Place{0, 0}, "", std::move(message)});
}

void Errors::attribute(std::string key, std::string origin) {
  origins_.emplace_back(std::move(key), std::move(origin));
}

void Errors::withdraw(const std::string& key) {
  std::erase_if(messages_, [&](const Message& message) { return message.key == key; });
}

bool Errors::about(std::string_view key) const {
  return std::ranges::any_of(said_,
                             [key](const std::string& path) { return is_or_is_in(path, key); });
}

std::vector<std::string> Errors::messages() const {
  std::vector<const Message*> sorted;
  for (const Message& message : messages_) sorted.push_back(&message);
  std::ranges::stable_sort(sorted, {}, [](const Message* message) { return message->place; });
  std::vector<std::string> texts;
  for (const Message* message : sorted) texts.push_back(message->text);
  return texts;
}

const std::string* Errors::origin_of(std::string_view path) const {
  for (auto origin = origins_.rbegin(); origin != origins_.rend(); ++origin)
    if (is_or_is_in(path, origin->first)) return &origin->second;
  return nullptr;
}

}  // namespace sim::run
