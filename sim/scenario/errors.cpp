#include "sim/scenario/errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::scenario {
namespace {

bool is_or_is_in(std::string_view path, std::string_view key) {
  return path.starts_with(key) &&
         (path.size() == key.size() || path[key.size()] == '.' || path[key.size()] == '[');
}

}  // namespace

void Errors::add(FilePosition place, const std::string& key, const std::string& found,
                 const std::string& expected) {
  add(place, key, fmt::format("found {}, expected {}", found, expected));
}

void Errors::add(FilePosition place, const std::string& key, const std::string& message) {
  add_unknown(place, key, key, message);
}

void Errors::add_unknown(FilePosition place, const std::string& path, const std::string& key,
                         const std::string& message) {
  said_.insert(path);
  const Origin* const origin = origin_of(path);
  const bool in_file = !origin || origin->is_file;
  const std::string where =
      in_file ? fmt::format("{}:{}:{}", file_of(path), place.line, place.column) : origin->text;
  messages_.push_back(
      {in_file ? place : FilePosition{0, 0}, path, fmt::format("{}: {}: {}", where, key, message)});
}

void Errors::add(std::string message) {
  messages_.push_back({FilePosition{0, 0}, "", std::move(message)});
}

void Errors::attribute(std::string key, std::string origin) {
  origins_.push_back({std::move(key), std::move(origin)});
}

void Errors::attribute_to_file(std::string key, std::string file) {
  origins_.push_back({.key = std::move(key), .text = std::move(file), .is_file = true});
}

const std::string& Errors::file_of(std::string_view key) const {
  const Origin* const origin = origin_of(key);
  return origin && origin->is_file ? origin->text : file_;
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

const Errors::Origin* Errors::origin_of(std::string_view path) const {
  for (auto origin = origins_.rbegin(); origin != origins_.rend(); ++origin)
    if (is_or_is_in(path, origin->key)) return &*origin;
  return nullptr;
}

}  // namespace sim::scenario
