#include "api/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

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

// The n-th character of kSpecial is written as the n-th text of kEscaped.
constexpr std::string_view kSpecial = "&<>\"\r\n\t";
constexpr std::string_view kEscaped[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                         "&#13;", "&#10;", "&#9;"};

constexpr std::array<bool, 256> special_bytes() {
  std::array<bool, 256> table{};
  for (const char c : kSpecial) table[static_cast<unsigned char>(c)] = true;
  return table;
}

// The index of the first special byte from `from` on, or the text's size if there is none.
std::size_t find_special(std::string_view text, std::size_t from) {
  static constexpr auto kIsSpecial = special_bytes();
  while (from < text.size() && !kIsSpecial[static_cast<unsigned char>(text[from])]) ++from;
  return from;
}

// Appends to a growing text. Memory is reserved in advance, and the unused part is released at the
// end.
class Ink {
 public:
  explicit Ink(std::string& out) : out_(out), size_(out.size()) {}
  Ink(const Ink&) = delete;
  Ink& operator=(const Ink&) = delete;
  ~Ink() { out_.resize(size_); }

  void put(std::string_view text) { advance(std::ranges::copy(text, room(text.size())).out); }
  // Writes "<name>", "</name>" and similar texts in one piece.
  void put(std::string_view begin, std::string_view name, std::string_view end) {
    char* at = room(begin.size() + name.size() + end.size());
    for (const std::string_view part : {begin, name, end}) at = std::ranges::copy(part, at).out;
    advance(at);
  }
  void put_escaped(std::string_view text) {
    for (std::size_t from = 0;;) {
      const std::size_t special = find_special(text, from);
      put(text.substr(from, special - from));
      if (special == text.size()) return;
      put(kEscaped[kSpecial.find(text[special])]);
      from = special + 1;
    }
  }
  void put(std::int64_t number) {
    constexpr std::size_t kLongest = 20;
    char* const at = room(kLongest);
    advance(std::to_chars(at, at + kLongest, number).ptr);
  }
  // Appends a long text in parts, without filling the reserved memory first.
  void put(const std::vector<std::string_view>& parts) {
    out_.resize(size_);
    for (const std::string_view part : parts) size_ += part.size();
    out_.reserve(size_ + 2 * kAhead);
    for (const std::string_view part : parts) out_ += part;
  }
  std::size_t size() const { return size_; }
  void take_back(std::size_t count) { size_ -= count; }

 private:
  char* room(std::size_t count) {
    if (out_.size() - size_ < count)
      out_.resize(std::max(size_ + count + kAhead, std::min(2 * size_, out_.capacity())));
    return out_.data() + size_;
  }
  void advance(const char* end) { size_ = static_cast<std::size_t>(end - out_.data()); }

  static constexpr std::size_t kAhead = 1024;
  std::string& out_;
  std::size_t size_;
};

class XmlWriter {
 public:
  XmlWriter(std::string& out, Way way) : ink_(out), way_(way) {}

  void members(const Shape& shape, const void* object, const WrittenList& written = {}) {
    for (const Member& member : shape.members) {
      if (member.location != Location::kBody || (member.flags & flags::kAttribute)) continue;
      const void* const value = get(member, object);
      if (value == nullptr) continue;
      if (!written.elements.empty() && member.name == written.member) {
        list(member, written.elements);
      } else if (member.flags & flags::kText) {
        content(*member.shape, value, member.time);
      } else {
        this->member(member, value);
      }
    }
  }

  void element(std::string_view name, const Shape& shape, const void* value, TimeFormat time,
               const XmlNamespace& xmlns) {
    if (shape.type == Type::kStructure) {
      ink_.put("<", name, "");
      attributes(shape, value, xmlns);
      ink_.put(">");
    } else {
      ink_.put("<", name, ">");
    }
    const auto before = ink_.size();
    content(shape, value, time);
    if (ink_.size() == before) {
      ink_.take_back(1);
      ink_.put("/>");
    } else {
      ink_.put("</", name, ">");
    }
  }

 private:
  void attribute(std::string_view name, std::string_view value) {
    ink_.put(" ", name, "=\"");
    ink_.put_escaped(value);
    ink_.put("\"");
  }
  void attributes(const Shape& shape, const void* value, const XmlNamespace& xmlns) {
    if (!xmlns.uri.empty()) {
      const std::string prefix(xmlns.prefix);
      attribute(prefix.empty() ? "xmlns" : "xmlns:" + prefix, xmlns.uri);
    }
    for (const Member& member : shape.members) {
      if (!(member.flags & flags::kAttribute)) continue;
      if (const void* text = get(member, value))
        attribute(wire_name(member, way_), *static_cast<const std::string*>(text));
    }
  }
  void content(const Shape& shape, const void* value, TimeFormat time) {
    switch (shape.type) {
      case Type::kStructure:
        members(shape, value);
        return;
      case Type::kString:
        ink_.put_escaped(*static_cast<const std::string*>(value));
        return;
      case Type::kBoolean:
        ink_.put(*static_cast<const bool*>(value) ? "true" : "false");
        return;
      case Type::kInteger:
      case Type::kLong:
        ink_.put(*static_cast<const std::int64_t*>(value));
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
        scalar_.clear();
        append_scalar(scalar_, shape.type, value, time);
        ink_.put(scalar_);
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
  void list(const Member& member, const std::vector<std::string_view>& elements) {
    const auto name = wire_name(member, way_);
    const bool flat = (member.flags & flags::kFlattened) != 0;
    if (!flat) ink_.put("<", name, ">");
    ink_.put(elements);
    if (!flat) ink_.put("</", name, ">");
  }
  void entries(const Shape& shape, const void* value, std::string_view name) {
    each_entry(shape, value, [&](const std::string& key, const void* entry) {
      ink_.put("<", name, ">");
      element(shape.key_item, *shape.key, &key, TimeFormat::kNone, {});
      element(shape.item, *shape.element, entry, shape.element->time, {});
      ink_.put("</", name, ">");
    });
  }

  Ink ink_;
  const Way way_;
  std::string scalar_;
};

class XmlReader {
 public:
  XmlReader(Way way, bool strict) : way_(way), strict_(strict) {}

  void structure(pugi::xml_node node, const Shape& shape, void* object) {
    const bool has_text = std::ranges::any_of(
        shape.members, [](const Member& member) { return (member.flags & flags::kText) != 0; });
    if (!has_text) check_no_text(node);
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
    std::size_t next = 0;  // elements mostly come in the members' order
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
  void check_no_text(pugi::xml_node node) const {
    if (!strict_) return;
    for (const auto child : node.children())
      if (child.type() != pugi::node_element &&
          std::string_view(child.value()).find_first_not_of(" \t\r\n") != std::string_view::npos &&
          child.type() != pugi::node_comment)
        throw Refusal(Why::kMalformed, "", "", where(node) + " has text between its elements.");
  }
  // Comments may split the text.
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
    } catch (const Refusal& refusal) {  // adds the place, which the refusal does not have yet
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
    check_no_text(node);
    const auto key = node.child(std::string(shape.key_item).c_str());
    const auto item = node.child(std::string(shape.item).c_str());
    value(item, *shape.element, shape.map->add(map, text_of(key)));
  }
  template <class Visit>
  void each_named(pugi::xml_node node, std::string_view name, Visit visit) const {
    check_no_text(node);
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

void append_xml_text(std::string& out, std::string_view text) { Ink(out).put_escaped(text); }

pugi::xml_node parse_xml(pugi::xml_document& document, std::string_view text) {
  const auto parsed =
      document.load_buffer(text.data(), text.size(),
                           pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!parsed)
    throw Refusal(Why::kMalformed, "", "", fmt::format("No XML: {}.", parsed.description()));
  return document.document_element();
}

void append_xml(std::string& out, const Shape& structure, const void* object, Way way,
                const WrittenList& written) {
  XmlWriter(out, way).members(structure, object, written);
}

void append_xml_item(std::string& out, const Shape& list, const void* element, Way way) {
  XmlWriter(out, way).element(list.item, *list.element, element, list.element->time, {});
}

void append_xml_element(std::string& out, std::string_view name, const Shape& shape,
                        const void* value, std::string_view xmlns, Way way) {
  XmlWriter(out, way).element(name, shape, value, TimeFormat::kNone, {{}, xmlns});
}

void read_xml(pugi::xml_node node, const Shape& structure, void* object, Way way, bool strict) {
  XmlReader(way, strict).structure(node, structure, object);
}

}  // namespace api
