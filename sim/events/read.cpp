#include "sim/events/read.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace sim::events {
namespace {

std::string_view source_of(std::string_view kind) { return kind.substr(0, kind.find('.')); }

void take(const Json& json, std::string_view& text) {
  if (json.is_string()) text = json.get_ref<const std::string&>();
}
void take(const Json& json, bool& yes) {
  if (json.is_boolean()) yes = json.get<bool>();
}
void take(const Json& json, std::int64_t& number) {
  if (json.is_number_integer()) number = json.get<std::int64_t>();
}
void take(const Json& json, std::uint64_t& number) {
  if (json.is_number_integer()) number = json.get<std::uint64_t>();
}
void take(const Json& json, double& number) {
  if (json.is_number()) number = json.get<double>();
}
void take(const Json& json, JsonField& field) { field = json; }
template <class T>
void take(const Json& json, std::optional<T>& value) {
  T found{};
  if (std::is_floating_point_v<T> ? json.is_number() : json.is_number_integer()) {
    take(json, found);
    value = found;
  }
}

template <class E>
void read_as(Time time, const Json& fields, const Hear& hear) {
  E event{.time = time, .read_from = &fields};
  E::visit(event, [&fields](std::string_view name, auto& member, Presence) {
    if (const auto at = fields.find(name); at != fields.end()) take(*at, member);
  });
  hear(AnyEvent(event));
}

using Read = void (*)(Time, const Json&, const Hear&);
template <class... Events>
constexpr std::array<Read, sizeof...(Events)> readers(List<Events...>) {
  return {read_as<Events>...};
}
constexpr auto kReaders = readers(All{});

struct Named {
  std::string_view name;
  Kind kind;
};
constexpr auto kSorted = [] {
  std::array<Named, kKinds> all{};
  for (std::size_t i = 0; i < kKinds; ++i) all[i] = {kNames[i], static_cast<Kind>(i)};
  std::ranges::sort(all, {}, &Named::name);
  return all;
}();

}  // namespace

Kind find_kind(std::string_view name) {
  const auto at = std::ranges::lower_bound(kSorted, name, {}, &Named::name);
  return at != kSorted.end() && at->name == name ? at->kind : Kind::kOther;
}

bool is_own_source(std::string_view source) {
  const auto found = std::ranges::find(kNames, source, source_of);
  return found != kNames.end() && !kOfProgram[static_cast<std::size_t>(found - kNames.begin())];
}

bool is_event_kind(std::string_view kind) {
  if (find_kind(kind) != Kind::kOther) return true;
  const std::string_view source = source_of(kind);
  return source.size() + 1 < kind.size() && !source.empty() && !is_own_source(source);
}

std::string as_utf8(std::string_view text) {
  const std::string line = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(line).get<std::string>();
}

void read(Time time, std::string_view kind, const Json& fields, const Hear& hear) {
  const Kind known = find_kind(kind);
  if (known != Kind::kOther) return kReaders[static_cast<std::size_t>(known)](time, fields, hear);
  hear(AnyEvent(Other{.time = time, .kind = kind, .read_from = &fields}));
}

}  // namespace sim::events
