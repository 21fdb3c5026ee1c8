// The fields of one object in a file or a request. Each field is read once, a field that no code
// reads is an error, and every error has its place. Value is a node of the document, JSON's
// (json_fields.h) or YAML's (sim/scenario/yaml_fields.h). It knows its place in the document, and
// reports or throws errors. It has these members:
//   Member               name, empty if the key is no text; and the value
//   is_map()             whether it has fields
//   members()            in the document's order
//   find(name)           the member's value; empty if there is none
//   value_of(member)
//   refuse_kind()        the value is no object
//   refuse_second(member)               the name occurs a second time
//   refuse_missing(name, expected)
//   refuse_unknown(member, FieldNames)  no code has read the member
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text/nearest.h"

namespace base {

// The names that a reader has asked for.
class FieldNames {
 public:
  void ask(const std::string& name) { asked_.insert(name); }
  bool asked(const std::string& name) const { return asked_.contains(name); }
  const std::set<std::string>& all() const { return asked_; }
  // The known name that is probably a correction of an unknown one.
  std::optional<std::string> meant_by(const std::string& unknown) const {
    return nearest(unknown, asked_);
  }
  // Notes a required field that is missing.
  void miss(const std::string& name) { missing_.insert(name); }
  // Whether this field is missing; true once. A misspelt name and a missing one are one mistake.
  bool take_missing(const std::string& name) { return missing_.erase(name) != 0; }

 private:
  std::set<std::string> asked_, missing_;
};

template <class Value>
class Fields {
 public:
  using Member = typename Value::Member;

  explicit Fields(Value value) : value_(std::move(value)) {
    if (!value_.is_map()) value_.refuse_kind();
    std::set<std::string> seen;
    for (const Member& member : members())
      if (member.name && !seen.insert(*member.name).second) value_.refuse_second(member);
  }

  // Empty when the field is not there.
  std::optional<Value> take(const std::string& name) {
    names_.ask(name);
    return value_.find(name);
  }
  // As take(); a missing field is an error that names what is expected.
  std::optional<Value> require(const std::string& name, const std::string& expected) {
    auto value = take(name);
    if (!value && value_.is_map()) {
      names_.miss(name);
      value_.refuse_missing(name, expected);
    }
    return value;
  }
  // All fields in the document's order, each taken: for objects whose names are the user's own.
  std::vector<Value> take_all() {
    std::vector<Value> values;
    for (const Member& member : members()) {
      if (!member.name) continue;
      names_.ask(*member.name);
      values.push_back(value_.value_of(member));
    }
    return values;
  }

  // The first field that has not been read.
  std::optional<std::string> unread() const {
    for (const Member& member : members())
      if (is_unread(member)) return member.name.value_or("");
    return {};
  }
  // Refuses all fields that have not been read. Call it last.
  void finish() {
    for (const Member& member : members())
      if (is_unread(member)) value_.refuse_unknown(member, names_);
  }

  const Value& value() const { return value_; }
  const FieldNames& names() const { return names_; }

 private:
  std::vector<Member> members() const {
    return value_.is_map() ? value_.members() : std::vector<Member>{};
  }
  bool is_unread(const Member& member) const { return !member.name || !names_.asked(*member.name); }

  Value value_;
  FieldNames names_;
};

}  // namespace base
