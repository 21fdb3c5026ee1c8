#include "fakes/sqs/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fakes::sqs {
namespace {

constexpr std::size_t kMostEntries = 10, kLongestId = 80;

ApiError error(const char* name, const std::string& message) {
  return {std::string(sim::messaging::kSqsError) + name, message};
}

bool is_id(const std::string& id) {
  return !id.empty() && id.size() <= kLongestId && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

}  // namespace

sim::messaging::Queues& queues(Call& call) { return messaging(call.backend).queues; }

std::string url_of(const Call& call, const std::string& name) {
  const auto& config = call.cloud.config();
  const std::string endpoint = call.endpoint.empty()
                                   ? fmt::format("https://sqs.{}.amazonaws.com", config.region)
                                   : call.endpoint;
  return fmt::format("{}/{}/{}", endpoint, config.account_id, name);
}

std::string name_in(const std::string& url) {
  const auto slash = url.rfind('/');
  if (slash == std::string::npos)
    throw ApiError("InvalidAddress",
                   fmt::format("The address {} is not valid for this endpoint.", url), 404);
  return url.substr(slash + 1);
}

std::optional<sim::Duration> seconds_in(const std::optional<std::int64_t>& value,
                                        const char* parameter, std::int64_t most) {
  if (!value) return {};
  if (*value < 0 || *value > most)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value {} for parameter {} is invalid. Reason: Must be between 0 "
                               "and {}, if provided.",
                               *value, parameter, most));
  return std::chrono::seconds(*value);
}

void check_batch_ids(std::string_view action, const std::vector<std::string>& ids) {
  if (ids.empty())
    throw error("EmptyBatchRequest",
                fmt::format("There should be at least one {}RequestEntry in the request.", action));
  if (ids.size() > kMostEntries)
    throw error("TooManyEntriesInBatchRequest",
                fmt::format("Maximum number of entries per request are {}. You have sent {}.",
                            kMostEntries, ids.size()));
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (!is_id(id))
      throw error("InvalidBatchEntryId",
                  "A batch entry id can only contain alphanumeric characters, hyphens and "
                  "underscores. It can be at most 80 letters long.");
    if (!seen.insert(id).second)
      throw error("BatchEntryIdsNotDistinct", fmt::format("Id {} repeated.", id));
  }
}

}  // namespace fakes::sqs
