#include "api/rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <pugixml.hpp>

#include "api/json.h"
#include "api/percent.h"
#include "api/refusal.h"
#include "api/rest_route.h"
#include "api/rest_unknown.h"
#include "api/scalar.h"
#include "api/value.h"
#include "api/xml.h"

namespace api {
namespace {

using Why = Refusal::Why;

bool has_json_body(const Service& service) { return service.protocol == Protocol::kRestJson; }

// Whether a member in a message must be read. Throws if the request is refused because of the
// member.
bool is_wanted(const Member& member, Way way) {
  if (way == Way::kResponse) return (member.flags & flags::kAbsent) == 0;
  if (member.support == Support::kRefused)
    throw Refusal(Why::kUnsupported, std::string(member.in.empty() ? member.name : member.in));
  return member.support == Support::kRead;
}

void read_text(const Shape& shape, std::string_view text, void* value, std::string_view where) {
  if (!is_text(text))
    throw Refusal(Why::kType, std::string(where), std::string(text), "UTF-8 text");
  read_scalar(shape.type, text, value, where);
}

// ---- headers

bool has_prefix(std::string_view name, std::string_view prefix) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return name.size() > prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), name.begin(), same);
}

std::string header_text(const Member& member, const void* value) {
  const Shape& shape = *member.shape;
  std::string out;
  if (shape.type != Type::kList) {
    append_scalar(out, shape.type, value, member.time);
    return out;
  }
  each_element(shape, value, [&](const void* element) {
    if (!out.empty()) out += ',';
    append_scalar(out, shape.element->type, element, TimeFormat::kRfc822);
  });
  return out;
}

void write_headers(const Shape& shape, const void* object, Headers& headers) {
  for (const Member& member : shape.members) {
    const bool is_map = member.location == Location::kHeaders;
    if (!is_map && member.location != Location::kHeader) continue;
    const void* const value = get(member, object);
    if (value == nullptr) continue;
    if (is_map) {
      each_entry(*member.shape, value, [&](const std::string& key, const void* entry) {
        headers.add(std::string(member.in) + key, *static_cast<const std::string*>(entry));
      });
    } else if (member.shape->type != Type::kList || member.shape->list->view(value).count > 0) {
      headers.add(member.in, header_text(member, value));
    }
  }
}

void read_header(const Member& member, std::string_view text, void* value) {
  const Shape& shape = *member.shape;
  if (shape.type != Type::kList) return read_text(shape, text, value, member.in);
  while (!text.empty()) {
    auto one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (!one.empty()) read_text(*shape.element, one, shape.list->add(value), member.in);
  }
}

void read_headers(const Shape& shape, const Headers& headers, void* object, Way way) {
  for (const Member& member : shape.members) {
    if (member.location == Location::kHeader) {
      const std::string* const text = headers.find(member.in);
      if (text != nullptr && is_wanted(member, way))
        read_header(member, *text, make(member, object));
    } else if (member.location == Location::kHeaders) {
      for (const auto& [name, text] : headers) {
        if (!has_prefix(name, member.in) || !is_wanted(member, way)) continue;
        void* const to =
            member.shape->map->add(make(member, object), name.substr(member.in.size()));
        read_text(*member.shape->element, text, to, name);
      }
    }
  }
}

// ---- path and query string

void read_labels(const Operation& operation, std::string_view path, void* object) {
  const auto labels = match_path(operation.uri, path);
  if (!labels) throw Refusal(Why::kMalformed, "", "", "The path is of another operation.");
  for (const auto& [label, text] : *labels) {
    for (const Member& member : operation.input.shape->members) {
      if (member.location != Location::kUri || member.in != label) continue;
      if (!is_wanted(member, Way::kRequest)) continue;
      read_scalar(member.shape->type, percent_decode(text, false), make(member, object), label);
    }
  }
}

// Reads into `map` the parameters that belong neither to another member nor to the operation's
// pattern.
void read_query_map(const Operation& operation, const Member& map, const Parameters& query,
                    void* object) {
  Parameters literals;
  parse_form(operation.query, literals);
  for (const Parameter& one : query) {
    const bool is_taken =
        std::ranges::find(literals, one.name, &Parameter::name) != literals.end() ||
        std::ranges::any_of(operation.input.shape->members, [&](const Member& member) {
          return member.location == Location::kQuery && member.in == one.name;
        });
    if (is_taken || !is_wanted(map, Way::kRequest)) continue;
    void* const to = map.shape->map->add(make(map, object), one.name);
    const Shape& element = *map.shape->element;
    const bool is_list = element.type == Type::kList;
    read_scalar(is_list ? element.element->type : element.type, one.value,
                is_list ? element.list->add(to) : to, one.name);
  }
}

bool is_query_map(const Member& member) {
  return member.shape != nullptr && member.shape->type == Type::kMap;
}

void read_query(const Operation& operation, const Parameters& query, void* object) {
  for (const Member& member : operation.input.shape->members) {
    if (member.location != Location::kQuery) continue;
    if (is_query_map(member)) {
      read_query_map(operation, member, query, object);
      continue;
    }
    for (const auto& [name, value] : query) {
      if (name != member.in || !is_wanted(member, Way::kRequest)) continue;
      const Shape& shape = *member.shape;
      const bool is_list = shape.type == Type::kList;
      if (!is_list && get(member, object) != nullptr)
        throw Refusal(Why::kMalformed, "", "", name + " is given more than once.");
      void* const to = make(member, object);
      read_scalar(is_list ? shape.element->type : shape.type, value,
                  is_list ? shape.list->add(to) : to, name);
    }
  }
}

std::string path_of(const Operation& operation, const void* object) {
  std::string path;
  std::string_view pattern = operation.uri;
  while (!pattern.empty()) {
    const auto open = std::min(pattern.find('{'), pattern.size());
    path += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (pattern.empty()) break;
    const auto close = pattern.find('}');
    auto label = pattern.substr(1, close - 1);
    pattern.remove_prefix(close + 1);
    const bool has_slashes = label.ends_with('+');
    if (has_slashes) label.remove_suffix(1);
    for (const Member& member : operation.input.shape->members) {
      if (member.location != Location::kUri || member.in != label) continue;
      const void* const value = get(member, object);
      std::string text;
      if (value != nullptr) append_scalar(text, member.shape->type, value, member.time);
      if (text.empty()) throw Refusal(Why::kMissing, std::string(label));
      append_percent(path, text, has_slashes ? "/" : "");
    }
  }
  return path;
}

class QueryWriter {
 public:
  explicit QueryWriter(std::string& query) : query_(query) {}

  void value(std::string_view name, const Shape& shape, const void* value, TimeFormat time) {
    if (shape.type == Type::kList) {
      each_element(shape, value, [&](const void* one) {
        this->value(name, *shape.element, one, shape.element->time);
      });
    } else if (shape.type == Type::kMap) {
      each_entry(shape, value, [&](const std::string& key, const void* entry) {
        this->value(key, *shape.element, entry, shape.element->time);
      });
    } else {
      std::string text;
      append_scalar(text, shape.type, value, time);
      if (!query_.empty()) query_ += '&';
      append_percent(query_, name);
      query_ += '=';
      append_percent(query_, text);
    }
  }

 private:
  std::string& query_;
};

std::string query_of(const Operation& operation, const void* object) {
  std::string query(operation.query);
  QueryWriter writer(query);
  for (const Member& member : operation.input.shape->members) {
    if (member.location != Location::kQuery) continue;
    if (const void* const value = get(member, object))
      writer.value(member.in, *member.shape, value, member.time);
  }
  return query;
}

// ---- the body

const Member* payload_of(const Side& side) {
  return side.payload < 0 ? nullptr : &side.shape->members[static_cast<std::size_t>(side.payload)];
}

// Whether the member is the whole body, unparsed.
bool is_raw(const Member& member) {
  return member.shape != nullptr &&
         (member.shape->type == Type::kBlob || member.shape->type == Type::kString);
}

bool has_body_members(const Shape& shape) {
  return std::ranges::any_of(
      shape.members, [](const Member& member) { return member.location == Location::kBody; });
}

bool has_body_values(const Shape& shape, const void* object) {
  return std::ranges::any_of(shape.members, [object](const Member& member) {
    return member.location == Location::kBody && get(member, object) != nullptr;
  });
}

JsonStyle json_style(Way way) {
  return way == Way::kRequest ? JsonStyle::kRequest : JsonStyle::kResponse;
}

// An element as a body, after a declaration if it is an answer. The element has the service's
// namespace unless the model names another.
std::string xml_body(const Service& service, std::string_view name, const Shape& shape,
                     const void* value, std::string_view xmlns, Way way) {
  std::string out;
  if (way == Way::kResponse) out = kXmlHead;
  append_xml_element(out, name, shape, value, xmlns.empty() ? service.xmlns : xmlns, way);
  return out;
}

std::string payload_text(const Service& service, const Member& member, const void* object,
                         Way way) {
  std::string out;
  const void* const value = get(member, object);
  if (is_raw(member)) {
    if (value != nullptr) out = *static_cast<const std::string*>(value);
  } else if (has_json_body(service)) {
    if (value == nullptr) return "{}";
    append_json(out, *member.shape, value, json_style(way));
  } else if (value != nullptr) {
    out = xml_body(service, way == Way::kRequest ? member.in : member.out, *member.shape, value,
                   member.xmlns.uri, way);
  }
  return out;
}

std::string body_of(const Service& service, const Side& side, const void* object, Way way) {
  if (const Member* const payload = payload_of(side))
    return payload_text(service, *payload, object, way);
  std::string out;
  if (!has_body_members(*side.shape)) return out;
  if (has_json_body(service)) {
    append_json(out, *side.shape, object, json_style(way));
  } else if (way == Way::kResponse || has_body_values(*side.shape, object)) {
    out = xml_body(service, side.root, *side.shape, object, side.xmlns, way);
  }
  return out;
}

void read_body_members(const Service& service, const Shape& shape, const std::string& body,
                       void* object, Way way) {
  if (has_json_body(service)) {
    read_json(body, shape, object, json_style(way));
  } else {
    pugi::xml_document document;
    read_xml(parse_xml(document, body), shape, object, way, way == Way::kRequest);
  }
}

void read_body(const Service& service, const Side& side, const std::string& body, void* object,
               Way way) {
  const Member* const payload = payload_of(side);
  if (payload == nullptr) {
    if (!body.empty() && has_body_members(*side.shape))
      read_body_members(service, *side.shape, body, object, way);
    return;
  }
  // The protocol does not distinguish a missing text from an empty one; a client gets an empty
  // text.
  if (body.empty() && (way == Way::kRequest || !is_raw(*payload))) return;
  const bool is_nothing = has_json_body(service) && !is_raw(*payload) && body == "{}";
  if (is_nothing || !is_wanted(*payload, way)) return;
  void* const value = make(*payload, object);
  if (is_raw(*payload)) {
    *static_cast<std::string*>(value) = body;
  } else {
    read_body_members(service, *payload->shape, body, value, way);
  }
}

bool has_raw_payload(const Side& side) {
  const Member* const payload = payload_of(side);
  return payload != nullptr && is_raw(*payload);
}

void add_content_type(const Service& service, const Side& side, const std::string& body,
                      Headers& headers) {
  if (body.empty() || has_raw_payload(side) || headers.find("content-type") != nullptr) return;
  headers.add("content-type", has_json_body(service) ? "application/json" : "application/xml");
}

}  // namespace

void read_rest_request(const Service& service, const Operation& operation,
                       const HttpRequest& request, const Parameters& query, void* object) {
  refuse_unknown(operation, request.headers, query);
  read_labels(operation, request.path, object);
  read_query(operation, query, object);
  read_headers(*operation.input.shape, request.headers, object, Way::kRequest);
  read_body(service, operation.input, request.body, object, Way::kRequest);
}

HttpRequest write_rest_request(const Service& service, const Operation& operation,
                               const void* object) {
  HttpRequest request{.method = std::string(operation.method),
                      .path = path_of(operation, object),
                      .query = query_of(operation, object),
                      .headers = {},
                      .body = body_of(service, operation.input, object, Way::kRequest)};
  write_headers(*operation.input.shape, object, request.headers);
  // SDKs send no content type for S3's XML.
  if (has_json_body(service))
    add_content_type(service, operation.input, request.body, request.headers);
  return request;
}

HttpResponse write_rest_response(const Service& service, const Operation& operation,
                                 const void* object) {
  HttpResponse response;
  response.status = operation.status;
  for (const Member& member : operation.output.shape->members) {
    const bool is_status = member.location == Location::kStatus;
    if (const void* const value = is_status ? get(member, object) : nullptr)
      response.status = static_cast<int>(*static_cast<const std::int64_t*>(value));
  }
  write_headers(*operation.output.shape, object, response.headers);
  if (operation.method != "HEAD")
    response.body = body_of(service, operation.output, object, Way::kResponse);
  add_content_type(service, operation.output, response.body, response.headers);
  return response;
}

void read_rest_response(const Service& service, const Operation& operation,
                        const HttpResponse& response, void* object) {
  for (const Member& member : operation.output.shape->members)
    if (member.location == Location::kStatus)
      *static_cast<std::int64_t*>(make(member, object)) = response.status;
  read_headers(*operation.output.shape, response.headers, object, Way::kResponse);
  read_body(service, operation.output, response.body, object, Way::kResponse);
}

}  // namespace api
