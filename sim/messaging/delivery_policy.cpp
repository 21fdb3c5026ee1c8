#include "sim/messaging/delivery_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"

namespace sim::messaging {
namespace {

constexpr int kMostRetries = 100, kLongestDelay = 3600;

[[noreturn]] void refuse_policy(const std::string& why) {
  throw cloud::ApiError("InvalidParameter", "Invalid parameter: DeliveryPolicy: " + why);
}

struct NumberRow {
  const char* name;
  int DeliveryPolicy::*value;
  int lowest, highest;
};
constexpr NumberRow kNumberRows[] = {
    {"minDelayTarget", &DeliveryPolicy::min_delay, 1, kLongestDelay},
    {"maxDelayTarget", &DeliveryPolicy::max_delay, 1, kLongestDelay},
    {"numRetries", &DeliveryPolicy::retries, 0, kMostRetries},
    {"numNoDelayRetries", &DeliveryPolicy::no_delay_retries, 0, kMostRetries},
    {"numMinDelayRetries", &DeliveryPolicy::min_delay_retries, 0, kMostRetries},
    {"numMaxDelayRetries", &DeliveryPolicy::max_delay_retries, 0, kMostRetries}};
constexpr const char* kFunctions[] = {"linear", "arithmetic", "geometric", "exponential"};

// Null if there is no such member.
Json policy_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return {};
  if (!found->is_object()) refuse_policy(fmt::format("{} must be a JSON object", name));
  return *found;
}

Json parse_policy(const std::string& text) {
  if (text.empty()) return Json::object();
  Json json = parse_shallow_json(text);
  if (!json.is_object()) refuse_policy("failed to parse JSON.");
  return json;
}

int other_retries(const DeliveryPolicy& policy) {
  return policy.retries - policy.no_delay_retries - policy.min_delay_retries -
         policy.max_delay_retries;
}

void read_retries(const Json& json, DeliveryPolicy& into) {
  if (json.is_null()) return;
  for (const NumberRow& row : kNumberRows) {
    const auto found = json.find(row.name);
    if (found == json.end() || found->is_null()) continue;
    if (!found->is_number_integer() || *found < row.lowest || *found > row.highest)
      refuse_policy(fmt::format("{} must be between {} and {}", row.name, row.lowest, row.highest));
    into.*row.value = found->get<int>();
  }
  if (const auto found = json.find("backoffFunction"); found != json.end() && !found->is_null()) {
    const auto known = [&](const char* name) { return *found == name; };
    if (std::ranges::none_of(kFunctions, known))
      refuse_policy("backoffFunction must be linear, arithmetic, geometric or exponential");
    into.backoff = found->get<std::string>();
  }
  if (into.min_delay > into.max_delay)
    refuse_policy("minDelayTarget must be less than or equal to maxDelayTarget");
  if (other_retries(into) < 0)
    refuse_policy("numRetries must be at least the sum of the phases' retries");
}

void read_request(const Json& json, DeliveryPolicy& into) {
  if (json.is_null()) return;
  const auto found = json.find("headerContentType");
  if (found == json.end()) return;
  if (!found->is_string()) refuse_policy("headerContentType must be a text");
  into.content_type = found->get<std::string>();
  if (std::ranges::any_of(into.content_type, [](unsigned char c) { return c < ' ' || c > '~'; }))
    refuse_policy("headerContentType has an invalid character");
}

// The part of the way from the shortest to the longest delay for retry `i` of `n`.
double part_of_way(const std::string& backoff, double i, double n) {
  if (backoff == "arithmetic") return i * (i + 1) / (n * (n + 1));
  if (backoff == "exponential") return (std::exp2(i) - 1) / (std::exp2(n) - 1);
  return i / n;
}

double backoff_delay(const DeliveryPolicy& policy, double i, double n) {
  const double shortest = policy.min_delay, longest = policy.max_delay;
  const double part = part_of_way(policy.backoff, i, n);
  return policy.backoff == "geometric" ? shortest * std::pow(longest / shortest, part)
                                       : shortest + (longest - shortest) * part;
}

Json shown_retries(const DeliveryPolicy& policy) {
  Json out = Json::object();
  for (const NumberRow& row : kNumberRows) out[row.name] = policy.*row.value;
  out["backoffFunction"] = policy.backoff;
  return out;
}

}  // namespace

DeliveryPolicy read_delivery_policy(const std::string& of_topic,
                                    const std::string& of_subscription) {
  DeliveryPolicy policy;
  const Json http = policy_member(parse_policy(of_topic), "http");
  if (!http.is_null()) {
    read_retries(policy_member(http, "defaultHealthyRetryPolicy"), policy);
    read_request(policy_member(http, "defaultRequestPolicy"), policy);
    policy.overrides_disabled =
        http.value("disableSubscriptionOverrides", Json(false)) == Json(true);
  }
  const Json own = parse_policy(of_subscription),
             retries = policy_member(own, "healthyRetryPolicy");
  DeliveryPolicy with_own = retries.is_null() ? policy : DeliveryPolicy{};
  with_own.content_type = policy.content_type;
  read_retries(retries, with_own);
  read_request(policy_member(own, "requestPolicy"), with_own);
  return policy.overrides_disabled ? policy : with_own;
}

std::vector<Duration> retry_delays(const DeliveryPolicy& policy) {
  using std::chrono::seconds;
  std::vector<Duration> delays(static_cast<std::size_t>(policy.no_delay_retries), Duration{});
  const auto add = [&](int count, int delay) {
    delays.insert(delays.end(), static_cast<std::size_t>(count), seconds(delay));
  };
  add(policy.min_delay_retries, policy.min_delay);
  const int others = other_retries(policy);
  for (int i = 1; i <= others; ++i)
    delays.push_back(seconds(std::lround(backoff_delay(policy, i, others))));
  add(policy.max_delay_retries, policy.max_delay);
  return delays;
}

Json shown_for_topic(const DeliveryPolicy& policy) {
  return {{"http",
           {{"defaultHealthyRetryPolicy", shown_retries(policy)},
            {"disableSubscriptionOverrides", policy.overrides_disabled},
            {"defaultRequestPolicy", {{"headerContentType", policy.content_type}}}}}};
}

Json shown_for_subscription(const DeliveryPolicy& policy) {
  return {{"healthyRetryPolicy", shown_retries(policy)},
          {"requestPolicy", {{"headerContentType", policy.content_type}}}};
}

}  // namespace sim::messaging
