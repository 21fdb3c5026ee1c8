// The members of a JSON object, each read once, with the place of every error. Job files, the
// control API and Elastigroup's requests are read with it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/json/fields.h"

namespace base {

// A value of a document, for Fields.
class JsonValue {
 public:
  // Throws the caller's exception. `pointer` is the place (RFC 6901): "/train/command", empty for
  // the whole document.
  using Refuse = std::function<void(const std::string& pointer, const std::string& found,
                                    const std::string& expected)>;
  struct Member {
    std::optional<std::string> name;
  };

  JsonValue(nlohmann::ordered_json json, Refuse refuse, std::string pointer);

  const nlohmann::ordered_json& json() const { return json_; }
  const Refuse& refuse() const { return refuse_; }
  const std::string& pointer() const { return pointer_; }
  // The place of a member or an item, even if it does not exist.
  std::string pointer_to(const std::string& name) const;
  [[noreturn]] void fail(const std::string& expected) const;

  // ---- as Fields uses it
  bool is_map() const { return json_.is_object(); }
  std::vector<Member> members() const;
  std::optional<JsonValue> find(const std::string& name) const;
  JsonValue value_of(const Member& member) const { return *find(*member.name); }
  void refuse_kind() const { fail("an object"); }
  void refuse_second(const Member&) const {}  // the parser has kept only one of them
  void refuse_missing(const std::string& name, const std::string& expected) const;
  void refuse_unknown(const Member& member, const FieldNames& names) const;

 private:
  nlohmann::ordered_json json_;
  Refuse refuse_;
  std::string pointer_;
};

class JsonFields {
 public:
  using Refuse = JsonValue::Refuse;

  // `object` stands at `pointer`. Refuses anything but an object.
  JsonFields(nlohmann::ordered_json object, Refuse refuse, std::string pointer = "");
  explicit JsonFields(JsonValue object) : fields_(std::move(object)) {}

  // ---- empty if the member does not exist. All refuse a member of another type. A text that is
  // not empty.
  std::optional<std::string> text(const std::string& name, const std::string& expected);
  // A text out of these.
  std::optional<std::string> choice(const std::string& name, const std::vector<std::string>& words);
  std::optional<int> integer(const std::string& name, int low, int high);
  std::optional<bool> flag(const std::string& name);
  std::optional<JsonFields> object(const std::string& name);
  std::vector<std::string> texts(const std::string& name, const std::string& expected);
  std::vector<JsonFields> objects(const std::string& name);
  // ---- the member must be there
  std::string required_text(const std::string& name, const std::string& expected);
  std::string required_choice(const std::string& name, const std::vector<std::string>& words);
  int required_integer(const std::string& name, int low, int high);
  JsonFields required_object(const std::string& name);

  bool has(const std::string& name) const { return fields_.value().json().contains(name); }
  // Names of the members, in the document's order.
  std::vector<std::string> names() const;
  // The first member that no code read.
  std::optional<std::string> unread() const { return fields_.unread(); }
  // Refuses it. To be called last.
  void finish() { fields_.finish(); }
  [[noreturn]] void fail(const std::string& name, const std::string& found,
                         const std::string& expected) const;
  // Like fail(), but names the found type.
  [[noreturn]] void fail(const std::string& name, const std::string& expected) const;

 protected:
  // Names that were asked for: "a, b".
  std::string asked() const;

 private:
  Fields<JsonValue> fields_;
};

}  // namespace base
