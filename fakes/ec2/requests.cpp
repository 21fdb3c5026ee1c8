#include "fakes/ec2/requests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/base64.h"
#include "fakes/regions.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

constexpr std::size_t kMostUserData = 16 * 1024;

void check_tag(const std::string& key, const std::string& value) {
  if (key.empty() || key.size() > 127)
    throw invalid("tagKey", key, "Tag keys must be between 1 and 127 characters in length.");
  if (value.size() > 255)
    throw ApiError("InvalidParameterValue",
                   "Tag value exceeds the maximum length of 255 characters");
  if (key.starts_with("aws:"))
    throw ApiError("InvalidParameterValue",
                   "Tag keys starting with 'aws:' are reserved for internal use");
}

}  // namespace

using std::chrono::milliseconds;

sim::Time time(api::Timestamp time) {
  return sim::Time(std::chrono::floor<milliseconds>(time.time_since_epoch()));
}

api::Timestamp timestamp(sim::Time time) {
  return api::Timestamp(std::chrono::floor<milliseconds>(time.time_since_epoch()));
}

sim::Time whole_second(sim::Time time) {
  return sim::Time(std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()));
}

ApiError invalid(std::string_view name, std::string_view value, std::string_view expected) {
  return ApiError("InvalidParameterValue",
                  fmt::format("Value ({}) for parameter {} is invalid. {}", value, name, expected));
}

ApiError unsupported(std::string_view name) {
  return ApiError("UnsupportedOperation",
                  fmt::format("The parameter {} is not supported by this simulated AWS.", name));
}

ApiError missing(std::string_view name) {
  return ApiError("MissingParameter",
                  fmt::format("The request must contain the parameter {}", name));
}

std::string choice(const api::Opt<std::string>& value, std::string_view name,
                   std::initializer_list<std::string_view> supported) {
  if (!value) return std::string(*supported.begin());
  if (std::ranges::find(supported, *value) == supported.end())
    throw invalid(name, *value, fmt::format("Supported here: {}.", fmt::join(supported, ", ")));
  return *value;
}

namespace {

// EC2 API reference, HibernationOptionsRequest: hibernation implies the behavior hibernate. The
// behavior hibernate enables hibernation, too (EC2 user guide, "Behavior of Spot Instance
// interruptions").
void read_behavior(const api::Opt<std::string>& value, std::string_view name, bool may_stop,
                   std::string_view condition, sim::cloud::LaunchSpec& spec) {
  const std::string behavior = spec.hibernation && !value
                                   ? "hibernate"
                                   : choice(value, name, {"terminate", "stop", "hibernate"});
  if (spec.hibernation && behavior != "hibernate")
    throw ApiError("InvalidParameterCombination",
                   fmt::format("{} {} is not possible with HibernationOptions.Configured: expected "
                               "hibernate.",
                               name, behavior));
  spec.stops_when_interrupted = behavior != "terminate";
  spec.hibernation = behavior == "hibernate";
  if (spec.stops_when_interrupted && !may_stop)
    throw ApiError("InvalidParameterCombination",
                   fmt::format("{} {} needs a {}.", name, behavior, condition));
}

}  // namespace

void read_interruption_behavior(const api::Opt<std::string>& value, std::string_view name,
                                std::string_view type, sim::cloud::LaunchSpec& spec) {
  read_behavior(value, name, type == "persistent", "persistent Spot Instance request", spec);
}

void read_fleet_interruption_behavior(const api::Opt<std::string>& value, std::string_view name,
                                      std::string_view fleet_type, sim::cloud::LaunchSpec& spec) {
  read_behavior(value, name, fleet_type == "maintain", "fleet of type maintain", spec);
}

void check_range(const api::Opt<std::int64_t>& value, std::string_view name, std::int64_t low,
                 std::int64_t high) {
  if (value && (*value < low || *value > high))
    throw invalid(name, std::to_string(*value), fmt::format("Expected {} to {}.", low, high));
}

std::optional<sim::market::Usd> price(const api::Opt<std::string>& value, std::string_view name) {
  if (text(value).empty()) return {};
  const auto usd = sim::market::parse_usd(*value);
  if (!usd || usd->nano <= 0)
    throw invalid(name, *value, "Expected a price in US dollars greater than zero.");
  return usd;
}

std::string six_decimals(sim::market::Usd price) {
  if (price.nano % 1000 != 0) return sim::market::format_usd(price);
  return fmt::format("{}.{:06}", price.nano / 1'000'000'000, price.nano / 1000 % 1'000'000);
}

Backend& source_region(const Call& call, const api::Opt<std::string>& source_region) {
  const std::string& name = required(source_region, "SourceRegion");
  Backend* region = find_region(call.backend, name);
  if (region == nullptr && call.backend.elsewhere) region = call.backend.elsewhere(name);
  if (region == nullptr)
    throw invalid("sourceRegion", name,
                  fmt::format("{}", fmt::join(region_names(call.backend), ", ")));
  return *region;
}

const std::string& required(const api::Opt<std::string>& value, std::string_view name) {
  if (text(value).empty()) throw missing(name);
  return *value;
}

void check_given(const std::vector<std::string>& list, std::string_view name) {
  if (list.empty()) throw missing(name);
}

sim::cloud::Tags read_tags(const api::List<aws::Tag>& given) {
  sim::cloud::Tags tags;
  for (const auto& tag : given) {
    const std::string& key = required(tag.key, "Tag.Key");
    check_tag(key, text(tag.value));
    if (!tags.emplace(key, text(tag.value)).second)
      throw ApiError("InvalidParameterValue", "Duplicate tag key '" + key + "' specified.");
  }
  if (tags.size() > 50)
    throw ApiError("TagLimitExceeded", "The maximum number of tags for a resource is 50.");
  return tags;
}

void check_taggable(const std::string& type, std::string_view resource_type,
                    std::initializer_list<std::string_view> also) {
  if (type == resource_type || std::ranges::find(also, type) != also.end()) return;
  throw ApiError(
      "InvalidParameterValue",
      fmt::format("'{}' is not a valid taggable resource type for this operation.", type));
}

api::List<aws::Tag> shown_tags(const sim::cloud::Tags& tags) {
  api::List<aws::Tag> all;
  all.reserve(tags.size());
  for (const auto& [key, value] : tags) all.push_back({.key = key, .value = value});
  return all;
}

std::string read_user_data(const api::Opt<std::string>& encoded) {
  auto bytes = base::base64_decode(text(encoded));
  if (!bytes) throw ApiError("InvalidUserData.Malformed", "Invalid BASE64 encoding of user data.");
  if (bytes->size() > kMostUserData)
    throw ApiError("InvalidParameterValue", "User data is limited to 16384 bytes");
  return *std::move(bytes);
}

}  // namespace fakes::ec2
