// Functions that several EC2 actions use to read requests, in addition to the checks by the model.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/ec2.h"
#include "fakes/action.h"
#include "sim/cloud/error.h"
#include "sim/cloud/resources.h"
#include "sim/market/usd.h"

namespace fakes::ec2 {

namespace aws = api::ec2;

inline const std::string& text(const api::Opt<std::string>& value) {
  static const std::string none;
  return value ? *value : none;
}

// Times with milliseconds, as EC2 writes them.
sim::Time time(api::Timestamp time);
api::Timestamp timestamp(sim::Time time);
// Launch and attachment times, which EC2 writes in whole seconds.
sim::Time whole_second(sim::Time time);

// The error InvalidParameterValue for a parameter of this name.
sim::cloud::ApiError invalid(std::string_view name, std::string_view value,
                             std::string_view expected);
// The error UnsupportedOperation, for operations that this cloud does not support.
sim::cloud::ApiError unsupported(std::string_view name);
sim::cloud::ApiError missing(std::string_view name);

// Returns one of `supported`, or the first if there is no value. Throws InvalidParameterValue,
// which lists them.
std::string choice(const api::Opt<std::string>& value, std::string_view name,
                   std::initializer_list<std::string_view> supported);
// Reads what EC2 does with an interrupted instance of a spot request of this type into the
// specification. Only instances of persistent requests can stop or hibernate. If the specification
// is configured for hibernation, no other behavior is possible.
void read_interruption_behavior(const api::Opt<std::string>& value, std::string_view name,
                                std::string_view type, sim::cloud::LaunchSpec& spec);
// The same for a fleet, whose type must be maintain.
void read_fleet_interruption_behavior(const api::Opt<std::string>& value, std::string_view name,
                                      std::string_view fleet_type, sim::cloud::LaunchSpec& spec);
// Throws InvalidParameterValue if the number is given and is outside of [low, high].
void check_range(const api::Opt<std::int64_t>& value, std::string_view name, std::int64_t low,
                 std::int64_t high);
// Reads a price per hour. Returns empty if it is not given. Throws InvalidParameterValue unless the
// price is above zero.
std::optional<sim::market::Usd> price(const api::Opt<std::string>& value, std::string_view name);
// EC2's format of a spot price: "0.918000". It has more decimals only if the trace has.
std::string six_decimals(sim::market::Usd price);
// Throws MissingParameter for an empty text.
const std::string& required(const api::Opt<std::string>& value, std::string_view name);
// The region that SourceRegion names. Throws InvalidParameterValue for one that is not served.
Backend& source_region(const Call& call, const api::Opt<std::string>& source_region);
void check_given(const std::vector<std::string>& list, std::string_view name);

// Throws InvalidParameterValue for an invalid key or value, TagLimitExceeded for more than 50 tags.
sim::cloud::Tags read_tags(const api::List<aws::Tag>& tags);
// The tags for resources of this type. Tags for a type that is neither this one nor in `also` are
// an error. `List` is a list of TagSpecification or of a similar structure.
template <class List>
sim::cloud::Tags read_tag_specifications(const List& specifications, std::string_view resource_type,
                                         std::initializer_list<std::string_view> also = {});
api::List<aws::Tag> shown_tags(const sim::cloud::Tags& tags);

// Decodes Base64 text of at most 16 KiB after decoding. Returns empty if it is not given.
std::string read_user_data(const api::Opt<std::string>& encoded);

// ---- implementation

// Throws InvalidParameterValue for any other type.
void check_taggable(const std::string& type, std::string_view resource_type,
                    std::initializer_list<std::string_view> also);

template <class List>
sim::cloud::Tags read_tag_specifications(const List& specifications, std::string_view resource_type,
                                         std::initializer_list<std::string_view> also) {
  sim::cloud::Tags tags;
  for (const auto& specification : specifications) {
    const std::string type = specification.resource_type.value_or(std::string(resource_type));
    check_taggable(type, resource_type, also);
    sim::cloud::Tags these = read_tags(specification.tags);
    if (type == resource_type) tags.merge(these);
  }
  return tags;
}

}  // namespace fakes::ec2
