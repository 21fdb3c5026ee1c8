// Converts a resource's properties into requests to its service.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "api/table.h"
#include "sim/kernel/json_object.h"
#include "sim/stacks/resource_types.h"

namespace fakes::cloudformation {

// Fills a request whose members have the names that `values` has. Throws ApiError for a property
// that the request does not have, that no handler reads, or whose value has another type.
void fill_request(const sim::stacks::Handle& resource, const sim::Json& values,
                  const api::Shape& shape, void* object);
template <class Op>
typename Op::Request request_of(const sim::stacks::Handle& resource, const sim::Json& values) {
  typename Op::Request made;
  fill_request(resource, values, *Op::service().operations[Op::kAt].input.shape, &made);
  return made;
}

// A copy of the properties. Functions take properties out of it; what remains becomes members of a
// request with the same names.
class Properties {
 public:
  explicit Properties(const sim::stacks::Handle& resource);

  // Removes a property and returns it. Null if it does not exist.
  sim::Json take(std::string_view name);
  // Throws ApiError if it is not a string, a number or a boolean.
  std::optional<std::string> take_text(std::string_view name);
  std::optional<std::int64_t> take_number(std::string_view name);
  std::optional<bool> take_flag(std::string_view name);
  // Throws ApiError if the required property is missing.
  std::string need_text(std::string_view name);
  void rename(std::string_view from, std::string_view to);
  void set(std::string_view name, sim::Json value);
  // Removes properties that have no effect in the simulation.
  void ignore(std::initializer_list<std::string_view> names);
  // Throws ApiError if a property is left.
  void end() const;
  // The property Tags as TagSpecifications of EC2.
  void tag_as(std::string_view resource_type);
  // The property Tags as a list of Key and Value, without and with CloudFormation's own tags.
  sim::Json take_tags();
  sim::Json take_all_tags();

  // The remaining properties as a request. Throws as fill_request() does.
  template <class Op>
  typename Op::Request request() const {
    return request_of<Op>(*resource_, values_);
  }

 private:
  const sim::stacks::Handle* resource_;
  sim::Json values_;
};

// Converts strings into the booleans and numbers that a shape requires, because a template has only
// strings. Members without effect are removed.
sim::Json typed(const sim::Json& value, const api::Shape& shape);

}  // namespace fakes::cloudformation
