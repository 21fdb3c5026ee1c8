#include "api/difference.h"

#include <fmt/format.h>

#include <vector>

#include "api/scalar.h"
#include "api/value.h"

namespace api {
namespace {

std::string text_of_scalar(const Shape& shape, const void* value) {
  std::string text;
  append_scalar(text, shape.type, value, TimeFormat::kIso8601);
  // The text form has only milliseconds, so nanoseconds are added.
  if (shape.type == Type::kTimestamp)
    text +=
        fmt::format(" ({} ns)", static_cast<const Timestamp*>(value)->time_since_epoch().count());
  return text;
}

struct Entry {
  std::string name;  // an index from 1, or a key
  const void* value;
};

std::vector<Entry> entries_of(const Shape& shape, const void* value) {
  std::vector<Entry> entries;
  if (shape.type == Type::kList) {
    each_element(shape, value, [&](const void* element) {
      entries.push_back({std::to_string(entries.size() + 1), element});
    });
  } else {
    each_entry(shape, value, [&](const std::string& key, const void* entry) {
      entries.push_back({key, entry});
    });
  }
  return entries;
}

// Each function returns the path from the differing value on. The path begins with a point.
std::string value_difference(const Shape& shape, const void* a, const void* b);

std::string members_difference(const Shape& shape, const void* a, const void* b) {
  for (const Member& member : shape.members) {
    if (member.support == Support::kIgnored) continue;
    const void* const in_a = get(member, a);
    const void* const in_b = get(member, b);
    if (in_a == nullptr && in_b == nullptr) continue;
    const std::string below =
        in_a == nullptr || in_b == nullptr
            ? fmt::format(": {}", in_a == nullptr ? "not given, given" : "given, not given")
            : value_difference(*member.shape, in_a, in_b);
    if (!below.empty()) return fmt::format(".{}{}", member.name, below);
  }
  return "";
}

std::string entries_difference(const Shape& shape, const void* a, const void* b) {
  const auto in_a = entries_of(shape, a), in_b = entries_of(shape, b);
  if (in_a.size() != in_b.size())
    return fmt::format(": {} entries, {} entries", in_a.size(), in_b.size());
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (in_a[i].name != in_b[i].name) return fmt::format(": {}, {}", in_a[i].name, in_b[i].name);
    const auto below = value_difference(*shape.element, in_a[i].value, in_b[i].value);
    if (!below.empty()) return fmt::format(".{}{}", in_a[i].name, below);
  }
  return "";
}

std::string value_difference(const Shape& shape, const void* a, const void* b) {
  switch (shape.type) {
    case Type::kStructure:
      return members_difference(shape, a, b);
    case Type::kList:
    case Type::kMap:
      return entries_difference(shape, a, b);
    default: {
      const auto of_a = text_of_scalar(shape, a), of_b = text_of_scalar(shape, b);
      return of_a == of_b ? "" : fmt::format(": {}, {}", of_a, of_b);
    }
  }
}

}  // namespace

std::string first_difference(const Shape& structure, const void* a, const void* b) {
  const auto difference = members_difference(structure, a, b);
  return difference.empty() ? "" : difference.substr(1);
}

}  // namespace api
