#include "api/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/percent.h"
#include "api/refusal.h"
#include "api/scalar.h"
#include "api/value.h"

namespace api {
namespace {

using Why = Refusal::Why;

constexpr std::size_t kMostParameters = 2000;

// Visits each scalar of a request with its name. `Show` is called with (const std::string& name,
// const Shape&, const void* value, TimeFormat). The shape is null for a list without items.
template <class Show>
class FormWalk {
 public:
  FormWalk(FormStyle style, Show show) : style_(style), show_(show) {}

  void structure(const Shape& shape, const void* object) {
    const auto size = path_.size();
    for (const Member& member : shape.members) {
      const void* const value = get(member, object);
      if (value == nullptr) continue;
      if (size > 0) path_ += '.';
      path_ += is_empty_flat_list(member, value) ? member.name : member.in;
      this->value(*member.shape, value, member.time, (member.flags & flags::kFlattened) != 0);
      path_.resize(size);
    }
  }

 private:
  // botocore names a flattened list by its items, "AttributeName.1", but a list without items by
  // the member, "AttributeNames=".
  bool is_empty_flat_list(const Member& member, const void* value) const {
    if (style_ != FormStyle::kQuery || (member.flags & flags::kFlattened) == 0 ||
        member.shape->type != Type::kList)
      return false;
    bool empty = true;
    each_element(*member.shape, value, [&](const void*) { empty = false; });
    return empty;
  }

  void value(const Shape& shape, const void* value, TimeFormat time, bool flat) {
    if (shape.type == Type::kStructure) {
      structure(shape, value);
    } else if (shape.type == Type::kList) {
      list(shape, value, flat);
    } else if (shape.type == Type::kMap) {
      map(shape, value, flat);
    } else {
      show_(path_, &shape, value, time);
    }
  }
  void list(const Shape& shape, const void* value, bool flat) {
    const auto size = path_.size();
    if (style_ == FormStyle::kQuery && !flat) (path_ += '.') += shape.item;
    const auto base = path_.size();
    int i = 0;
    each_element(shape, value, [&](const void* element) {
      fmt::format_to(std::back_inserter(path_), ".{}", ++i);
      this->value(*shape.element, element, shape.element->time, false);
      path_.resize(base);
    });
    path_.resize(size);
    // EC2's protocol cannot express a list without items.
    if (i == 0 && style_ == FormStyle::kQuery) show_(path_, nullptr, nullptr, TimeFormat::kNone);
  }
  void map(const Shape& shape, const void* value, bool flat) {
    const auto size = path_.size();
    if (!flat) path_ += ".entry";
    const auto base = path_.size();
    int i = 0;
    each_entry(shape, value, [&](const std::string& key, const void* entry) {
      fmt::format_to(std::back_inserter(path_), ".{}", ++i);
      const auto here = path_.size();
      (path_ += '.') += shape.key_item;
      this->value(*shape.key, &key, TimeFormat::kNone, false);
      path_.resize(here);
      (path_ += '.') += shape.item;
      this->value(*shape.element, entry, shape.element->time, false);
      path_.resize(base);
    });
    path_.resize(size);
  }

  const FormStyle style_;
  Show show_;
  std::string path_;
};

// The parameters are not in depth-first order: a member is repeated, an index decreases, or a map's
// value precedes its key. `otherwise` is the error to report in this case.
struct OutOfOrder {
  Refusal otherwise;
};

class FormReader {
 public:
  FormReader(const Parameters& parameters, FormStyle style)
      : parameters_(parameters), style_(style) {}

  void root(const Shape& shape, void* object) {
    while (at_ < parameters_.size()) {
      if (name() == "Action" || name() == "Version") {
        ++at_;
      } else {
        member(shape, object, 0);
      }
    }
  }

 private:
  std::string_view name() const { return parameters_[at_].name; }
  // The segment from `from` to the next point.
  std::string_view segment(std::size_t from) const {
    const auto rest = name().substr(std::min(from, name().size()));
    return rest.substr(0, rest.find('.'));
  }
  // Whether the current parameter continues below `prefix`.
  bool below(std::string_view prefix) const {
    return at_ < parameters_.size() && name().size() > prefix.size() + 1 &&
           name()[prefix.size()] == '.' && name().starts_with(prefix);
  }
  [[noreturn]] void unknown() const { throw Refusal(Why::kUnknown, std::string(name())); }
  [[noreturn]] void again() const {
    throw OutOfOrder{Refusal(Why::kMalformed, "", "",
                             fmt::format("The parameter {} is given more than once.", name()))};
  }

  void member(const Shape& shape, void* object, std::size_t from) {
    const auto wire = segment(from);
    auto found =
        std::ranges::find_if(shape.members, [wire](const Member& m) { return m.in == wire; });
    if (found == shape.members.end() && style_ == FormStyle::kQuery &&
        name().size() == from + wire.size())
      found = std::ranges::find_if(shape.members, [wire](const Member& m) {  // "Names="
        return m.name == wire && (m.flags & flags::kFlattened) != 0;
      });
    if (found == shape.members.end()) unknown();
    const auto prefix = name().substr(0, from + wire.size());
    if (found->support == Support::kRefused) throw Refusal(Why::kUnsupported, std::string(name()));
    if (found->support == Support::kIgnored) {
      pass_over(prefix);
      return;
    }
    if (get(*found, object) != nullptr) again();
    value(*found->shape, make(*found, object), prefix, (found->flags & flags::kFlattened) != 0);
  }
  void pass_over(std::string_view prefix) {
    for (++at_; below(prefix);) ++at_;
  }

  // `prefix` is a view into the first name of this value's parameters.
  void value(const Shape& shape, void* value, std::string_view prefix, bool flat) {
    const Nesting nesting(depth_);
    if (shape.type == Type::kStructure) {
      if (!below(prefix)) unknown();
      while (below(prefix)) member(shape, value, prefix.size() + 1);
    } else if (shape.type == Type::kList) {
      list(shape, value, prefix, flat);
    } else if (shape.type == Type::kMap) {
      map(shape, value, prefix, flat);
    } else {
      if (name().size() != prefix.size()) unknown();
      read_scalar(shape.type, parameters_[at_].value, value, prefix);
      ++at_;
    }
  }

  // Returns the prefix extended by `word`, "member" or "entry". The current name must have it next.
  std::string_view entered(std::string_view prefix, std::string_view word) const {
    if (segment(prefix.size() + 1) != word) unknown();
    return name().substr(0, prefix.size() + 1 + word.size());
  }
  // Visits the prefix of each index. Indexes must increase. AWS counts from 1, and also accepts 0.
  template <class Visit>
  void each_index(std::string_view prefix, Visit visit) {
    std::int64_t last = -1;
    if (!below(prefix)) unknown();
    while (below(prefix)) {
      const auto digits = segment(prefix.size() + 1);
      const char* const end = digits.data() + digits.size();
      std::uint32_t index = 0;
      const auto [at, error] = std::from_chars(digits.data(), end, index);
      if (error != std::errc{} || at != end || (digits.front() == '0' && digits.size() > 1))
        unknown();
      if (index <= last) again();
      last = index;
      visit(name().substr(0, prefix.size() + 1 + digits.size()));
    }
  }
  void list(const Shape& shape, void* value, std::string_view prefix, bool flat) {
    if (name().size() == prefix.size()) {  // "Names=": no items
      if (!parameters_[at_].value.empty()) unknown();
      ++at_;
      return;
    }
    if (style_ == FormStyle::kQuery && !flat) prefix = entered(prefix, shape.item);
    each_index(prefix, [&](std::string_view element) {
      this->value(*shape.element, shape.list->add(value), element, false);
    });
  }
  void map(const Shape& shape, void* value, std::string_view prefix, bool flat) {
    if (!flat) prefix = entered(prefix, "entry");
    each_index(prefix, [&](std::string_view entry) {
      if (!below(entry)) unknown();
      const auto here = name().substr(entry.size() + 1);
      if (segment(entry.size() + 1) == shape.item)
        throw OutOfOrder{Refusal(Why::kMissing, fmt::format("{}.{}", entry, shape.key_item))};
      if (here != shape.key_item) unknown();
      std::string key = parameters_[at_++].value;
      if (!below(entry) || segment(entry.size() + 1) != shape.item)
        throw Refusal(Why::kMissing, fmt::format("{}.{}", entry, shape.item));
      this->value(*shape.element, shape.map->add(value, std::move(key)),
                  name().substr(0, entry.size() + 1 + shape.item.size()), false);
    });
  }

  const Parameters& parameters_;
  const FormStyle style_;
  std::size_t at_ = 0, depth_ = 0;
};

// Compares names segment by segment, and numbers by value: A.2.x comes before A.10.x.
bool depth_first(const Parameter& a, const Parameter& b) {
  const auto is_number = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  std::string_view x = a.name, y = b.name;
  while (!x.empty() && !y.empty()) {
    const auto s = x.substr(0, x.find('.')), t = y.substr(0, y.find('.'));
    if (s != t) {
      const bool by_value = s.size() != t.size() && is_number(s) && is_number(t);
      return by_value ? s.size() < t.size() : s < t;
    }
    x.remove_prefix(std::min(x.size(), s.size() + 1));
    y.remove_prefix(std::min(y.size(), t.size() + 1));
  }
  return x.size() < y.size();
}

}  // namespace

void parse_form(std::string_view encoded, Parameters& parameters) {
  while (!encoded.empty()) {
    const auto pair = encoded.substr(0, encoded.find('&'));
    encoded.remove_prefix(std::min(encoded.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    std::string name = percent_decode(pair.substr(0, equals), true);
    if (name.empty()) throw Refusal(Why::kMalformed, "", "", "A parameter has no name.");
    if (parameters.size() >= kMostParameters)
      throw Refusal(Why::kMalformed, "", "",
                    fmt::format("More than {} parameters.", kMostParameters));
    parameters.push_back(
        {std::move(name), percent_decode(pair.substr(std::min(equals + 1, pair.size())), true)});
  }
}

std::string_view find_parameter(const Parameters& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? std::string_view() : found->value;
}

Parameters form_of(const Shape& structure, const void* object, FormStyle style) {
  Parameters parameters;
  FormWalk(style, [&](const std::string& name, const Shape* shape, const void* value,
                      TimeFormat time) {
    std::string text;
    if (shape != nullptr) append_scalar(text, shape->type, value, time);
    parameters.push_back({name, std::move(text)});
  }).structure(structure, object);
  return parameters;
}

void append_form(std::string& out, const Shape& structure, const void* object, FormStyle style) {
  for (const auto& [name, value] : form_of(structure, object, style)) {
    out += '&';
    append_percent(out, name);
    out += '=';
    append_percent(out, value);
  }
}

void read_form(const Parameters& parameters, const Shape& structure, void* object,
               FormStyle style) {
  try {
    FormReader(parameters, style).root(structure, object);
    return;
  } catch (const OutOfOrder&) {
    structure.root->destroy(object);
    structure.root->construct(object);
  }
  Parameters sorted = parameters;
  std::ranges::stable_sort(sorted, depth_first);
  try {
    FormReader(sorted, style).root(structure, object);
  } catch (const OutOfOrder& wrong) {
    throw wrong.otherwise;
  }
}

std::string form_child(const std::string& path, const Member& member) {
  return path.empty() ? std::string(member.in) : fmt::format("{}.{}", path, member.in);
}

}  // namespace api
