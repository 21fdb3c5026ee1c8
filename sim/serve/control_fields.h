// The JSON object that a call of the control API sends, read field by field.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/events/event.h"
#include "sim/market/pool.h"
#include "sim/market/usd.h"

namespace sim::serve {

// A control call that is refused: an HTTP status, and "field: found …, expected …".
class ControlError : public std::runtime_error {
 public:
  ControlError(unsigned status, const std::string& what)
      : std::runtime_error(what), status_(status) {}
  unsigned status() const { return status_; }

 private:
  unsigned status_;
};

// A text as JSON, discarded where it is none or nested deeper than any call is: what writes it down
// again goes as deep.
Json parse_shallow(const std::string& body);

// All throw ControlError.
class ControlFields {
 public:
  // An empty text counts as an empty object.
  explicit ControlFields(const std::string& body);

  bool has(const std::string& key) const { return object_.contains(key); }
  std::string text(const std::string& key, const std::string& expected);
  std::string text_or(const std::string& key, const std::string& otherwise);
  // One of these.
  std::string choice(const std::string& key, const std::vector<std::string>& choices);
  int whole_number_or(const std::string& key, int least, int most, int otherwise);
  bool flag(const std::string& key);  // that is there
  market::Pool pool(const std::string& key);
  market::Usd price(const std::string& key);
  // Refuses fields that nobody asked for.
  void finish() const;
  const Json& json() const { return object_; }

 private:
  const Json& take(const std::string& key, const std::string& expected);

  Json object_;
  std::set<std::string> taken_;
};

}  // namespace sim::serve
