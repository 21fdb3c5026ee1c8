// Typed reading of YAML with every error collected, each at its line and column: the scenario
// parser's vocabulary.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "sim/cloud/cloud.h"
#include "sim/kernel/time.h"
#include "sim/market/instance_types.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"
#include "sim/scenario/errors.h"

namespace sim::run {

// Instants that a scenario or its traces may speak of, 1970 to 2099, and the longest duration: far
// enough from the ends of int64 nanoseconds (1677, 2262) that their sums and differences fit.
bool in_range(Time t);
constexpr Duration kLongest = std::chrono::hours(24 * 365);

// One node and its key. A conversion of an unfit node returns empty and records an error.
class Value {
 public:
  Value(Errors& errors, YAML::Node node, std::string key);

  std::optional<std::string> text(const std::string& expected = "text") const;
  // Text that is one of `words`.
  std::optional<std::string> word(const std::vector<std::string>& words) const;
  // Text of letters, digits, '-', '_' and '.', fit for a file's name.
  std::optional<std::string> name() const;
  std::optional<std::int64_t> integer(std::int64_t low, std::int64_t high) const;
  std::optional<double> number() const;
  std::optional<bool> flag() const;
  std::optional<Duration> duration(const std::string& expected = "a duration such as 90s") const;
  std::optional<cloud::Range> range() const;  // "30s-60s", or one duration
  std::optional<Time> time() const;
  std::optional<market::Usd> usd() const;
  // One of the types.
  std::optional<std::string> instance_type(const market::InstanceTypes& types) const;
  // "p3.2xlarge/us-west-2b", of one of the types.
  std::optional<market::Pool> pool(const market::InstanceTypes& types) const;
  std::vector<Value> list(const std::string& expected) const;

  // The value of a mapping's key; empty when there is none, or this is no mapping.
  std::optional<Value> find(const std::string& key) const;

  bool is_list() const;
  FilePosition place() const { return place_; }
  // In one line. What is nested deeper than two levels is left out: aliases may make it endless.
  std::string as_written() const;

  const std::string& key() const { return key_; }
  const YAML::Node& node() const { return node_; }
  Errors& errors() const { return *errors_; }
  void fail(const std::string& expected) const;  // "found <what is there>, expected …"
  void reject(const std::string& message) const;

  // ---- as base::Fields uses it
  struct Member {
    std::optional<std::string> name;  // empty for a key that is no scalar
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
  std::string key_;
  FilePosition place_;
};

// A mapping whose keys are taken one by one; finish() reports keys that no code took. A misspelling
// of a required key is one error, not two.
using Fields = base::Fields<Value>;

// No larger text is read as YAML.
inline constexpr std::size_t kLargestFile = 1 << 20;  // bytes

// Hands a file's root to `read`. Why a text is no YAML (yaml_syntax.h), or too large, is recorded.
// What `read` throws is thrown on, but for yaml-cpp's own.
void read_yaml(const std::string& text, Errors& errors,
               const std::function<void(const Value& root)>& read);

}  // namespace sim::run
