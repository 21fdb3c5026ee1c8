// The JSON object in a call of the control API, read field by field.
#pragma once

#include <stdexcept>
#include <string>

#include "base/json/json_fields.h"
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

// Parses JSON. The result is_discarded() if the text is invalid, or if its nesting is deeper than
// any call needs. Deep nesting is refused because writing the value again would recurse as deep.
Json parse_shallow(const std::string& body);

// Reads the fields of a call. Its errors are ControlErrors.
class ControlFields : public base::JsonFields {
 public:
  // An empty text counts as an empty object.
  explicit ControlFields(const std::string& body);

  // The whole object, for code that does not read it by fields.
  const Json& whole() const { return whole_; }
  market::Pool pool(const std::string& name);
  market::Usd price(const std::string& name);
  // Refuses fields that no reader took.
  void finish() const;

 private:
  Json whole_;
};

}  // namespace sim::serve
