// A resource's properties on their way into a service's request.
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

  // Removes a property and returns it; null where there is none.
  sim::Json take(std::string_view name);
  // Throws ApiError where it is no string, number, boolean.
  std::optional<std::string> take_text(std::string_view name);
  std::optional<std::int64_t> take_number(std::string_view name);
  std::optional<bool> take_flag(std::string_view name);
  // Throws ApiError for a property that is required.
  std::string need_text(std::string_view name);
  void rename(std::string_view from, std::string_view to);
  void set(std::string_view name, sim::Json value);
  // Properties that have no effect on anything that is simulated.
  void ignore(std::initializer_list<std::string_view> names);
  // Throws ApiError where a property is left.
  void end() const;
  // The property Tags as TagSpecifications of EC2.
  void tag_as(std::string_view resource_type);
  // The property Tags as a list of Key and Value, without and with CloudFormation's own tags.
  sim::Json take_tags();
  sim::Json take_all_tags();

  // The rest as a request. Throws as fill_request().
  template <class Op>
  typename Op::Request request() const {
    return request_of<Op>(*resource_, values_);
  }

 private:
  const sim::stacks::Handle* resource_;
  sim::Json values_;
};

// Strings become the booleans and numbers that a shape asks for, because a template knows strings
// only. Members that nothing depends on are dropped.
sim::Json typed(const sim::Json& value, const api::Shape& shape);

}  // namespace fakes::cloudformation
