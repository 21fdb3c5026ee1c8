// Reads typed values from YAML and collects every error with its line and column. All readers of
// scenarios and sweeps use it.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/fields.h"
#include "sim/cloud/cloud.h"
#include "sim/kernel/time.h"
#include "sim/market/instance_types.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"
#include "sim/scenario/errors.h"

namespace sim::scenario {

// Limits of times in scenarios and traces: 1970 to 2099, and the longest duration. Sums and
// differences then stay within int64 nanoseconds (1677 to 2262).
bool in_range(Time t);
constexpr Duration kLongest = std::chrono::hours(24 * 365);

// A node and its key. A conversion that fails returns empty and adds an error.
class Value {
 public:
  Value(Errors& errors, YAML::Node node, std::string key);

  std::optional<std::string> text(const std::string& expected = "text") const;
  // A text that is one of `words`.
  std::optional<std::string> word(const std::vector<std::string>& words) const;
  // A text of letters, digits, '-', '_' and '.', which can be a file's name.
  std::optional<std::string> name() const;
  std::optional<std::int64_t> integer(std::int64_t low, std::int64_t high) const;
  std::optional<double> number() const;
  std::optional<bool> flag() const;
  std::optional<Duration> duration(const std::string& expected = "a duration such as 90s") const;
  std::optional<cloud::Range> range() const;  // "30s-60s", or one duration
  std::optional<Time> time() const;
  std::optional<market::Usd> usd() const;
  // The name of one of these instance types.
  std::optional<std::string> instance_type(const market::InstanceTypes& types) const;
  // A pool such as "p3.2xlarge/us-west-2b", with one of these types.
  std::optional<market::Pool> pool(const market::InstanceTypes& types) const;
  std::vector<Value> list(const std::string& expected) const;

  // The value of a mapping's key. Empty if the key is missing, or if this is not a mapping.
  std::optional<Value> find(const std::string& key) const;

  bool is_list() const;
  FilePosition place() const { return place_; }
  // The value in one line. Parts nested deeper than two levels are omitted, because aliases may be
  // endless.
  std::string as_written() const;

  // The path from the file's root: "market.prices".
  const std::string& key() const { return key_; }
  // The key in its mapping, if Fields::take_all() returned this value. The key is the user's own
  // text and may contain dots.
  const std::string& member_name() const { return member_name_; }
  const YAML::Node& node() const { return node_; }
  Errors& errors() const { return *errors_; }
  void fail(const std::string& expected) const;  // adds "found <the value>, expected …"
  void reject(const std::string& message) const;

  // ---- for base::Fields
  struct Member {
    std::optional<std::string> name;  // empty if the key is not a scalar
    YAML::Node key, value;
  };
  bool is_map() const;
  std::vector<Member> members() const;
  Value value_of(const Member& member) const;
  void refuse_kind() const;
  void refuse_second(const Member& member) const;
  void refuse_missing(const std::string& name, const std::string& expected) const;
  void refuse_unknown(const Member& member, base::FieldNames& names) const;

 private:
  std::string path_of(const std::string& name) const;
  const std::string* scalar(const std::string& expected) const;

  Errors* errors_;
  YAML::Node node_;
  std::string key_, member_name_;
  FilePosition place_;
};

// A mapping whose keys are taken one by one. finish() reports keys that no code took. A misspelt
// required key is one error, not two.
using Fields = base::Fields<Value>;

// The size limit of a YAML text.
inline constexpr std::size_t kLargestFile = 1 << 20;  // bytes

// Passes a file's root to `read`. Adds an error if the text is not YAML (yaml_syntax.h) or too
// large. Exceptions of `read` pass through, except those of yaml-cpp.
void read_yaml(const std::string& text, Errors& errors,
               const std::function<void(const Value& root)>& read);

}  // namespace sim::scenario
