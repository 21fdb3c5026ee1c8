#include "api/xml.h"

#include <algorithm>

#include "api/refusal.h"
#include "api/scalar.h"
#include "api/value.h"

namespace api {
namespace {

std::string_view wire_name(const Member& member, Way way) {
  return way == Way::kRequest ? member.in : member.out;
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  (out += ' ') += name;
  out += "=\"";
  append_xml_text(out, value);
  out += '"';
}

class XmlWriter {
 public:
  XmlWriter(std::string& out, Way way) : out_(out), way_(way) {}

  void members(const Shape& shape, const void* object) {
    for (const Member& member : shape.members) {
      if (member.location != Location::kBody || (member.flags & flags::kAttribute)) continue;
      if (const void* value = get(member, object)) this->member(member, value);
    }
  }

  void element(std::string_view name, const Shape& shape, const void* value, TimeFormat time,
               const XmlNamespace& xmlns) {
    (out_ += '<') += name;
    if (shape.type == Type::kStructure) attributes(shape, value, xmlns);
    out_ += '>';
    const auto before = out_.size();
    content(shape, value, time);
    if (out_.size() == before) {
      out_.back() = '/';
      out_ += '>';
    } else {
      ((out_ += "</") += name) += '>';
    }
  }

 private:
  void attributes(const Shape& shape, const void* value, const XmlNamespace& xmlns) {
    if (!xmlns.uri.empty()) {
      const std::string prefix(xmlns.prefix);
      append_attribute(out_, prefix.empty() ? "xmlns" : "xmlns:" + prefix, xmlns.uri);
    }
    for (const Member& member : shape.members) {
      if (!(member.flags & flags::kAttribute)) continue;
      if (const void* text = get(member, value))
        append_attribute(out_, wire_name(member, way_), *static_cast<const std::string*>(text));
    }
  }
  void content(const Shape& shape, const void* value, TimeFormat time) {
    switch (shape.type) {
      case Type::kStructure:
        members(shape, value);
        return;
      case Type::kString:
        append_xml_text(out_, *static_cast<const std::string*>(value));
        return;
      case Type::kList:
        each_element(shape, value, [&](const void* one) {
          element(shape.item, *shape.element, one, shape.element->time, {});
        });
        return;
      case Type::kMap:
        entries(shape, value, "entry");
        return;
      default:
        append_scalar(out_, shape.type, value, time);
    }
  }
  void member(const Member& member, const void* value) {
    const Shape& shape = *member.shape;
    const auto name = wire_name(member, way_);
    if (!(member.flags & flags::kFlattened)) {
      element(name, shape, value, member.time, member.xmlns);
    } else if (shape.type == Type::kMap) {
      entries(shape, value, name);
    } else {
      each_element(shape, value, [&](const void* one) {
        element(name, *shape.element, one, shape.element->time, {});
      });
    }
  }
  void entries(const Shape& shape, const void* value, std::string_view name) {
    each_entry(shape, value, [&](const std::string& key, const void* entry) {
      ((out_ += '<') += name) += '>';
      element(shape.key_item, *shape.key, &key, TimeFormat::kNone, {});
      element(shape.item, *shape.element, entry, shape.element->time, {});
      ((out_ += "</") += name) += '>';
    });
  }

  std::string& out_;
  const Way way_;
};

class XmlReader {
 public:
  XmlReader(Way way, bool strict) : way_(way), strict_(strict) {}

  void structure(pugi::xml_node node, const Shape& shape, void* object) {
    for (const Member& member : shape.members) {
      if (!(member.flags & flags::kAttribute) || (member.flags & flags::kAbsent)) continue;
      const auto attribute = node.attribute(std::string(wire_name(member, way_)).c_str());
      if (attribute) *static_cast<std::string*>(make(member, object)) = attribute.value();
    }
    std::size_t next = 0;  // elements come in the members' order, mostly
    for (const auto child : node.children())
      if (child.type() == pugi::node_element) this->child(child, shape, object, next);
  }

 private:
  void child(pugi::xml_node node, const Shape& shape, void* object, std::size_t& next) {
    const Member* const member = find(shape, node.name(), next);
    if (strict_ && member == nullptr) throw Refusal(Refusal::Why::kUnknown, node.name());
    if (strict_ && member->support == Support::kRefused)
      throw Refusal(Refusal::Why::kUnsupported, node.name());
    if (member == nullptr || (member->flags & flags::kAbsent)) return;
    void* const value = make(*member, object);
    if (!(member->flags & flags::kFlattened)) {
      this->value(node, *member->shape, value);
    } else if (member->shape->type == Type::kMap) {
      entry(node, *member->shape, value);
    } else {
      this->value(node, *member->shape->element, member->shape->list->add(value));
    }
  }
  // From the place `next` on, and around.
  const Member* find(const Shape& shape, std::string_view name, std::size_t& next) const {
    const auto count = shape.members.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (next + i) % count;
      const Member& member = shape.members[at];
      if (member.location != Location::kBody || wire_name(member, way_) != name) continue;
      next = member.flags & flags::kFlattened ? at : at + 1;
      return &member;
    }
    return nullptr;
  }
  void entry(pugi::xml_node node, const Shape& shape, void* map) {
    const auto key = node.child(std::string(shape.key_item).c_str());
    const auto item = node.child(std::string(shape.item).c_str());
    value(item, *shape.element, shape.map->add(map, key.child_value()));
  }
  void value(pugi::xml_node node, const Shape& shape, void* value) {
    if (shape.type == Type::kStructure) {
      structure(node, shape, value);
    } else if (shape.type == Type::kMap) {
      for (const auto child : node.children("entry")) entry(child, shape, value);
    } else if (shape.type == Type::kList) {
      for (const auto child : node.children()) {
        if (child.type() != pugi::node_element) continue;
        if (shape.item == child.name()) {
          this->value(child, *shape.element, shape.list->add(value));
        } else if (strict_) {
          throw Refusal(Refusal::Why::kUnknown, child.name());
        }
      }
    } else {
      read_scalar(shape.type, node.child_value(), value, node.name());
    }
  }

  const Way way_;
  const bool strict_;
};

}  // namespace

void append_xml_text(std::string& out, std::string_view text) {
  const auto escape = [](char c) -> std::string_view {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\r':
        return "&#13;";
      case '\n':
        return "&#10;";
      case '\t':
        return "&#9;";
      default:
        return {};
    }
  };
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto escaped = escape(text[i]);
    if (escaped.empty()) continue;
    out.append(text, from, i - from);
    out += escaped;
    from = i + 1;
  }
  out.append(text, from);
}

void append_xml(std::string& out, const Shape& structure, const void* object, Way way) {
  XmlWriter(out, way).members(structure, object);
}

void append_xml_element(std::string& out, std::string_view name, const Shape& shape,
                        const void* value, std::string_view xmlns, Way way) {
  XmlWriter(out, way).element(name, shape, value, TimeFormat::kNone, {{}, xmlns});
}

void read_xml(pugi::xml_node node, const Shape& structure, void* object, Way way, bool strict) {
  XmlReader(way, strict).structure(node, structure, object);
}

}  // namespace api
