// The tables that generate.py writes from a service's model. All codecs use these tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/types.h"

namespace api {

enum class Type : std::uint8_t {
  kString,
  kBlob,
  kBoolean,
  kInteger,
  kLong,
  kFloat,
  kDouble,
  kTimestamp,
  kStructure,
  kList,
  kMap
};
enum class Location : std::uint8_t { kBody, kPayload, kHeader, kHeaders, kUri, kQuery, kStatus };
enum class TimeFormat : std::uint8_t { kNone, kIso8601, kRfc822, kUnix };
enum class Protocol : std::uint8_t { kEc2, kQuery, kJson, kRestJson, kRestXml };

// How a member of a request is treated: a handler reads it, it has no effect, or the request is
// refused (api/actions/).
enum class Support : std::uint8_t { kRead, kIgnored, kRefused };

namespace flags {
enum Flag : std::uint8_t {
  kRequired = 1,
  kFlattened = 2,
  kAttribute = 4,  // of an XML element
  kToken = 8,      // a client token, which makes a request idempotent
  kAbsent = 16,    // the struct has no such field
  kText = 32       // the text of the XML element for the structure
};
}

// Accesses a structure that a member contains.
struct Holder {
  const void* (*get)(const void* member);  // null when it is not given
  void* (*make)(void* member);
};
template <class H>
inline constexpr Holder kHolder = {
    [](const void* member) -> const void* {
      const H& holder = *static_cast<const H*>(member);
      return holder ? &*holder : nullptr;
    },
    [](void* member) -> void* { return &static_cast<H*>(member)->emplace(); }};

struct ListOps {
  struct View {
    const char* data;
    std::size_t count;
  };
  std::size_t stride;
  View (*view)(const void* list);
  void* (*add)(void* list);
  bool (*given)(const void* list);
  void (*give)(void* list);
};
template <class T>
inline constexpr ListOps kListOps = {
    sizeof(T),
    [](const void* list) -> ListOps::View {
      const auto& all = *static_cast<const List<T>*>(list);
      return {reinterpret_cast<const char*>(all.data()), all.size()};
    },
    [](void* list) -> void* { return &static_cast<List<T>*>(list)->emplace_back(); },
    [](const void* list) { return static_cast<const List<T>*>(list)->given(); },
    [](void* list) { static_cast<List<T>*>(list)->give(); }};

struct MapOps {
  using Visit = void (*)(void* context, const std::string& key, const void* value);
  void (*each)(const void* map, void* context, Visit);
  void* (*add)(void* map, std::string key);
  bool (*given)(const void* map);
  void (*give)(void* map);
};
template <class T>
inline constexpr MapOps kMapOps = {
    [](const void* map, void* context, MapOps::Visit visit) {
      for (const auto& [key, value] : *static_cast<const Map<T>*>(map)) visit(context, key, &value);
    },
    [](void* map, std::string key) -> void* {
      return &(*static_cast<Map<T>*>(map))[std::move(key)];
    },
    [](const void* map) { return static_cast<const Map<T>*>(map)->given(); },
    [](void* map) { static_cast<Map<T>*>(map)->give(); }};

// Constructs and destroys whole requests and responses whose type is known only at run time.
struct RootOps {
  std::size_t size;
  void (*construct)(void* at);
  void (*destroy)(void* at);
};
template <class T>
inline constexpr RootOps kRootOps = {sizeof(T), [](void* at) { new (at) T(); },
                                     [](void* at) { static_cast<T*>(at)->~T(); }};

struct Shape;

struct XmlNamespace {
  std::string_view prefix, uri;
};

// A member of a structure.
struct Member {
  std::string_view name;     // the model's: "VolumeIds"
  std::string_view in, out;  // on the wire, in a request and in a response
  const Shape* shape;        // null for an absent member
  const Holder* holder;      // of a structure
  std::uint32_t offset;      // of its field
  Location location;
  TimeFormat time;
  Support support;
  std::uint8_t flags;
  XmlNamespace xmlns;
};

struct Shape {
  std::string_view name;
  Type type;
  std::span<const Member> members = {};       // of a structure
  const Shape* element = nullptr;             // of a list or a map
  const Shape* key = nullptr;                 // of a map
  std::string_view item = {}, key_item = {};  // their names in XML and forms
  const ListOps* list = nullptr;
  const MapOps* map = nullptr;
  const RootOps* root = nullptr;
  TimeFormat time = TimeFormat::kNone;
  std::span<const std::string_view> values = {};  // an enum's
  std::optional<double> min = {}, max = {};       // of a number, or of a length
};

// The request or the response of an operation.
struct Side {
  const Shape* shape;
  std::string_view root, xmlns;
  // The place of the member that is the body; -1: all members without a location are in the body.
  int payload;
};

struct Operation {
  std::string_view name;
  Side input, output;
  std::string_view method, uri, query;
  int status;
};

// An error of a query service: its shape's name, and its code in the query protocol.
struct QueryError {
  std::string_view shape, code;
};

struct Service {
  std::string_view name;
  Protocol protocol;
  std::string_view version, xmlns, target_prefix, json_version;
  std::span<const Operation> operations;
  // Of a query service in JSON (Smithy's trait awsQueryCompatible): the namespace of its errors,
  // and those whose code is not the shape's name.
  std::string_view error_namespace = {};
  std::span<const QueryError> query_errors = {};

  const Operation* find(std::string_view operation) const {
    for (const Operation& row : operations)
      if (row.name == operation) return &row;
    return nullptr;
  }
};

}  // namespace api
