#include "api/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/percent.h"
#include "api/refusal.h"
#include "api/scalar.h"
#include "api/value.h"

namespace api {
namespace {

using Why = Refusal::Why;

std::string_view wire_name(const Member& member, Way way) {
  return way == Way::kRequest ? member.in : member.out;
}

// "<name>", "</name>" and the like, in one piece.
void append_tag(std::string& out, std::string_view begin, std::string_view name,
                std::string_view end) {
  std::array<char, 96> tag;
  const std::size_t size = begin.size() + name.size() + end.size();
  if (size > tag.size()) {
    ((out += begin) += name) += end;
    return;
  }
  char* at = tag.data();
  for (const std::string_view part : {begin, name, end}) at = std::ranges::copy(part, at).out;
  out.append(tag.data(), size);
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
      const void* const value = get(member, object);
      if (value == nullptr) continue;
      if (member.flags & flags::kText) {
        content(*member.shape, value, member.time);
      } else {
        this->member(member, value);
      }
    }
  }

  void element(std::string_view name, const Shape& shape, const void* value, TimeFormat time,
               const XmlNamespace& xmlns) {
    if (shape.type == Type::kStructure) {
      append_tag(out_, "<", name, "");
      attributes(shape, value, xmlns);
      out_ += '>';
    } else {
      append_tag(out_, "<", name, ">");
    }
    const auto before = out_.size();
    content(shape, value, time);
    if (out_.size() == before) {
      out_.back() = '/';
      out_ += '>';
    } else {
      append_tag(out_, "</", name, ">");
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
      append_tag(out_, "<", name, ">");
      element(shape.key_item, *shape.key, &key, TimeFormat::kNone, {});
      element(shape.item, *shape.element, entry, shape.element->time, {});
      append_tag(out_, "</", name, ">");
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
      if (member.flags & flags::kAttribute) {
        const auto attribute = node.attribute(std::string(wire_name(member, way_)).c_str());
        if (attribute && is_wanted(member, node))
          scalar(*member.shape, attribute.value(), make(member, object), node);
      } else if (member.flags & flags::kText) {
        const std::string text = text_of(node);
        if (!text.empty()) scalar(*member.shape, text, make(member, object), node);
      }
    }
    std::size_t next = 0;  // elements come in the members' order, mostly
    for (const auto child : node.children())
      if (child.type() == pugi::node_element) this->child(child, shape, object, next);
  }

 private:
  void child(pugi::xml_node node, const Shape& shape, void* object, std::size_t& next) {
    const Member* const member = find(shape, node.name(), next);
    if (strict_ && member == nullptr) throw Refusal(Why::kUnknown, where(node));
    if (member == nullptr || !is_wanted(*member, node)) return;
    const bool flat = (member->flags & flags::kFlattened) != 0;
    if (strict_ && !flat && get(*member, object) != nullptr)
      throw Refusal(Why::kMalformed, "", "", where(node) + " is given more than once.");
    void* const value = make(*member, object);
    if (!flat) {
      this->value(node, *member->shape, value);
    } else if (member->shape->type == Type::kMap) {
      entry(node, *member->shape, value);
    } else {
      this->value(node, *member->shape->element, member->shape->list->add(value));
    }
  }
  static std::string where(pugi::xml_node node) {
    std::string path = node.path('.');
    if (path.starts_with('.')) path.erase(0, 1);
    return path;
  }
  bool is_wanted(const Member& member, pugi::xml_node node) const {
    if (!strict_) return (member.flags & flags::kAbsent) == 0;
    if (member.support == Support::kRefused) throw Refusal(Why::kUnsupported, where(node));
    return member.support == Support::kRead;
  }
  // Comments may part it.
  std::string text_of(pugi::xml_node node) const {
    std::string text;
    for (const auto child : node.children()) {
      if (strict_ && child.type() == pugi::node_element) throw Refusal(Why::kUnknown, where(child));
      text += child.value();
    }
    return text;
  }
  void scalar(const Shape& shape, std::string_view text, void* value, pugi::xml_node node) const {
    if (strict_ && !is_text(text))
      throw Refusal(Why::kType, where(node), std::string(text), "UTF-8 text");
    try {
      read_scalar(shape.type, text, value, "");
    } catch (const Refusal& refusal) {  // it does not know where it is
      throw Refusal(refusal.why, where(node), refusal.found, refusal.expected);
    }
  }
  // From the place `next` on, and around.
  const Member* find(const Shape& shape, std::string_view name, std::size_t& next) const {
    const auto count = shape.members.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (next + i) % count;
      const Member& member = shape.members[at];
      if (member.location != Location::kBody || wire_name(member, way_) != name) continue;
      if (member.flags & (flags::kAttribute | flags::kText)) continue;
      next = member.flags & flags::kFlattened ? at : at + 1;
      return &member;
    }
    return nullptr;
  }
  void entry(pugi::xml_node node, const Shape& shape, void* map) {
    const auto key = node.child(std::string(shape.key_item).c_str());
    const auto item = node.child(std::string(shape.item).c_str());
    value(item, *shape.element, shape.map->add(map, text_of(key)));
  }
  template <class Visit>
  void each_named(pugi::xml_node node, std::string_view name, Visit visit) const {
    for (const auto child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (name == child.name()) {
        visit(child);
      } else if (strict_) {
        throw Refusal(Why::kUnknown, where(child));
      }
    }
  }
  void value(pugi::xml_node node, const Shape& shape, void* value) {
    const Nesting nesting(depth_);
    if (shape.type == Type::kStructure) {
      structure(node, shape, value);
    } else if (shape.type == Type::kMap) {
      each_named(node, "entry", [&](pugi::xml_node one) { entry(one, shape, value); });
    } else if (shape.type == Type::kList) {
      each_named(node, shape.item, [&](pugi::xml_node one) {
        this->value(one, *shape.element, shape.list->add(value));
      });
    } else {
      scalar(shape, text_of(node), value, node);
    }
  }

  const Way way_;
  const bool strict_;
  std::size_t depth_ = 0;
};

}  // namespace

void append_xml_text(std::string& out, std::string_view text) {
  static constexpr std::string_view kSpecial = "&<>\"\r\n\t";
  static constexpr std::string_view kEscaped[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                                  "&#13;", "&#10;", "&#9;"};
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // None is above '>', as most letters are.
    if (text[i] > '>' || (text[i] > '&' && text[i] < '<')) continue;
    const std::size_t special = kSpecial.find(text[i]);
    if (special == kSpecial.npos) continue;
    out.append(text, from, i - from);
    out += kEscaped[special];
    from = i + 1;
  }
  out.append(text, from);
}

pugi::xml_node parse_xml(pugi::xml_document& document, std::string_view text) {
  const auto parsed =
      document.load_buffer(text.data(), text.size(),
                           pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!parsed)
    throw Refusal(Why::kMalformed, "", "", fmt::format("No XML: {}.", parsed.description()));
  return document.document_element();
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
