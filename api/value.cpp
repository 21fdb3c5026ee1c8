#include "api/value.h"

#include <stdexcept>

namespace api {
namespace {

template <class T>
const void* opt_get(const void* at) {
  const auto& value = *static_cast<const Opt<T>*>(at);
  return value ? &*value : nullptr;
}

template <class T>
void* opt_make(void* at) {
  return &static_cast<Opt<T>*>(at)->emplace();
}

}  // namespace

const void* get(const Member& member, const void* object) {
  if (member.flags & flags::kAbsent) return nullptr;
  const void* at = static_cast<const char*>(object) + member.offset;
  switch (member.shape->type) {
    case Type::kString:
    case Type::kBlob:
      return opt_get<std::string>(at);
    case Type::kBoolean:
      return opt_get<bool>(at);
    case Type::kInteger:
    case Type::kLong:
      return opt_get<std::int64_t>(at);
    case Type::kFloat:
    case Type::kDouble:
      return opt_get<double>(at);
    case Type::kTimestamp:
      return opt_get<Timestamp>(at);
    case Type::kStructure:
      return member.holder->get(at);
    case Type::kList:
      return member.shape->list->given(at) ? at : nullptr;
    case Type::kMap:
      return member.shape->map->given(at) ? at : nullptr;
  }
  return nullptr;
}

const Member& member_named(const Shape& structure, std::string_view name) {
  for (const Member& member : structure.members)
    if (member.name == name) return member;
  throw std::logic_error(std::string(structure.name) + " has no member " + std::string(name));
}

void* make(const Member& member, void* object) {
  void* at = static_cast<char*>(object) + member.offset;
  switch (member.shape->type) {
    case Type::kString:
    case Type::kBlob:
      return opt_make<std::string>(at);
    case Type::kBoolean:
      return opt_make<bool>(at);
    case Type::kInteger:
    case Type::kLong:
      return opt_make<std::int64_t>(at);
    case Type::kFloat:
    case Type::kDouble:
      return opt_make<double>(at);
    case Type::kTimestamp:
      return opt_make<Timestamp>(at);
    case Type::kStructure:
      return member.holder->make(at);
    case Type::kList:
      member.shape->list->give(at);
      return at;
    case Type::kMap:
      member.shape->map->give(at);
      return at;
  }
  return nullptr;
}

}  // namespace api
