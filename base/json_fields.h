// The members of a JSON object, each read once, with the place of every error: job files and the
// control API are read by it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace base {

class JsonFields {
 public:
  // Throws the caller's exception. `pointer` is the place (RFC 6901): "/train/command", empty for
  // the whole document.
  using Refuse = std::function<void(const std::string& pointer, const std::string& found,
                                    const std::string& expected)>;

  // `object` stands at `pointer`. Refuses anything but an object.
  JsonFields(nlohmann::ordered_json object, Refuse refuse, std::string pointer = "");

  // ---- empty when the member is not there. All refuse a member of another type.
  // A text that is not empty.
  std::optional<std::string> text(const std::string& name, const std::string& expected);
  // A text that is one of these.
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

  bool has(const std::string& name) const { return object_.contains(name); }
  // Names of the members, in the document's order.
  std::vector<std::string> names() const;
  // The first member that no code read.
  std::optional<std::string> unread() const;
  // Refuses it. To be called last.
  void finish() const;
  [[noreturn]] void fail(const std::string& name, const std::string& found,
                         const std::string& expected) const;
  // The same of what the member is.
  [[noreturn]] void fail(const std::string& name, const std::string& expected) const;

 protected:
  // Names that were asked for: "a, b".
  std::string asked() const;

 private:
  const nlohmann::ordered_json* find(const std::string& name);

  nlohmann::ordered_json object_;
  Refuse refuse_;
  std::string pointer_;
  std::set<std::string> read_;
};

}  // namespace base
