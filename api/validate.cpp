#include "api/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "api/form.h"
#include "api/refusal.h"
#include "api/scalar.h"
#include "api/value.h"

namespace api {
namespace {

using Why = Refusal::Why;

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

// The number that a shape's range limits: the value itself, or a length.
std::optional<double> measured(const Shape& shape, const void* value) {
  switch (shape.type) {
    case Type::kString:
      return static_cast<double>(characters(*static_cast<const std::string*>(value)));
    case Type::kBlob:
      return static_cast<double>(static_cast<const std::string*>(value)->size());
    case Type::kInteger:
    case Type::kLong:
      return static_cast<double>(*static_cast<const std::int64_t*>(value));
    case Type::kFloat:
    case Type::kDouble:
      return *static_cast<const double*>(value);
    case Type::kList:
      return static_cast<double>(shape.list->view(value).count);
    default:
      return {};
  }
}

// The constraint of its own shape that a value breaks.
std::optional<Why> broken(const Shape& shape, const void* value) {
  if (!shape.values.empty()) {
    const auto& text = *static_cast<const std::string*>(value);
    return std::ranges::find(shape.values, text) == shape.values.end() ? std::optional(Why::kEnum)
                                                                       : std::nullopt;
  }
  if (!shape.min && !shape.max) return {};
  const auto size = measured(shape, value);
  const bool number =
      shape.type != Type::kString && shape.type < Type::kTimestamp && shape.type != Type::kBlob;
  if (size && shape.min && *size < *shape.min) return number ? Why::kMin : Why::kShort;
  if (size && shape.max && *size > *shape.max) return number ? Why::kMax : Why::kLong;
  return {};
}

bool is_well(const Shape& shape, const void* value);

bool member_is_well(const Member& member, const void* object) {
  const void* const value = get(member, object);
  if (value == nullptr) return (member.flags & flags::kRequired) == 0;
  if (member.support == Support::kRead) return is_well(*member.shape, value);
  return member.support == Support::kIgnored;
}

// The first walk finds out whether there is an error. It makes no texts.
bool is_well(const Shape& shape, const void* value) {
  if (broken(shape, value)) return false;
  bool all = true;
  switch (shape.type) {
    case Type::kStructure:
      return std::ranges::all_of(
          shape.members, [&](const Member& member) { return member_is_well(member, value); });
    case Type::kList:
      each_element(shape, value,
                   [&](const void* element) { all = all && is_well(*shape.element, element); });
      return all;
    case Type::kMap:
      each_entry(shape, value, [&](const std::string& key, const void* entry) {
        all = all && is_well(*shape.key, &key) && is_well(*shape.element, entry);
      });
      return all;
    default:
      return true;
  }
}

[[noreturn]] void refuse_value(const Shape& shape, const void* value, const std::string& path,
                               Why why) {
  std::string found;
  if (shape.type < Type::kStructure) append_scalar(found, shape.type, value, TimeFormat::kIso8601);
  std::string limit = fmt::format("{}", fmt::join(shape.values, ", "));
  const bool low = why == Why::kMin || why == Why::kShort;
  if (why != Why::kEnum) limit = fmt::format("{}", low ? *shape.min : *shape.max);
  throw Refusal(why, path, found, limit);
}

// The second walk throws at the first error.
void refuse(const Shape& shape, const void* value, const std::string& path,
            const PathWords& words) {
  if (const auto why = broken(shape, value)) refuse_value(shape, value, path, *why);
  if (shape.type == Type::kStructure) {
    for (const Member& member : shape.members) {
      if (member_is_well(member, value)) continue;
      const void* const below = get(member, value);
      const std::string where = words.member(path, member);
      if (below == nullptr) throw Refusal(Why::kMissing, where);
      if (member.support == Support::kRefused) throw Refusal(Why::kUnsupported, where);
      refuse(*member.shape, below, where, words);
    }
  } else if (shape.type == Type::kList) {
    int i = 0;
    each_element(shape, value, [&](const void* element) {
      refuse(*shape.element, element, fmt::format("{}.{}{}", path, ++i, words.in_element), words);
    });
  } else if (shape.type == Type::kMap) {
    each_entry(shape, value, [&](const std::string& key, const void* entry) {
      refuse(*shape.key, &key, path, words);
      refuse(*shape.element, entry, fmt::format("{}.{}{}", path, key, words.in_element), words);
    });
  }
}

std::string common_child(const std::string& path, const Member& member) {
  std::string name(member.name);
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return path.empty() ? name : fmt::format("{}.{}", path, name);
}

}  // namespace

constinit const PathWords kFormPaths{form_child, ""};
constinit const PathWords kCommonPaths{common_child, ".member"};

void validate(const Shape& structure, const void* object, const PathWords& words) {
  if (!is_well(structure, object)) refuse(structure, object, "", words);
}

}  // namespace api
