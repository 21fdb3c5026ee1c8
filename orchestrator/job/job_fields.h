// Members of a JSON object, each read once, with the place of every error.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace spotrun {

class JobFields {
 public:
  // `object` stands at `pointer` in `file`. Throws when it is none.
  JobFields(const nlohmann::json& object, std::string file, std::string pointer);

  // ---- empty when the member is not there. All throw Failure(kBadInput).
  std::optional<std::string> text(const std::string& name, const std::string& expected);
  std::optional<int> integer(const std::string& name, int low, int high);
  std::optional<JobFields> object(const std::string& name);
  std::vector<std::string> texts(const std::string& name, const std::string& expected);
  // ---- the member must be there
  std::string required_text(const std::string& name, const std::string& expected);
  int required_integer(const std::string& name, int low, int high);
  JobFields required_object(const std::string& name);

  // Names of the members in file order.
  std::vector<std::string> names() const;
  // A member that nobody read is unknown. To be called last.
  void finish() const;
  [[noreturn]] void fail(const std::string& name, const std::string& found,
                         const std::string& expected) const;

 private:
  const nlohmann::json* find(const std::string& name);
  std::string checked(const nlohmann::json& value, const std::string& name,
                      const std::string& expected) const;

  const nlohmann::json& object_;
  std::string file_, pointer_;
  std::set<std::string> read_;
};

}  // namespace spotrun
