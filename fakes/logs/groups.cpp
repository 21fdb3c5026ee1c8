// Log groups.
#include <algorithm>
#include <set>

#include "base/text/lower_case.h"
#include "fakes/logs/actions.h"
#include "fakes/logs/names.h"

namespace fakes::logs {
namespace {

constexpr std::int64_t kMostGroups = 50;

// API reference, PutRetentionPolicy.
const std::set<std::int64_t> kRetentions = {1,    3,    5,    7,    14,   30,  60,  90,
                                            120,  150,  180,  365,  400,  545, 731, 1096,
                                            1827, 2192, 2557, 2922, 3288, 3653};

api::logs::LogGroup shown(const Call& call, const std::string& name,
                          const sim::logs::Group& group) {
  return {.arn = group_arn(call, name) + ":*",
          .creation_time = group.created,
          .kms_key_id = group.key.empty() ? std::nullopt : std::optional(group.key),
          .log_group_name = name,
          .metric_filter_count = 0,
          .retention_in_days = group.retention_days,
          .stored_bytes = static_cast<std::int64_t>(group.bytes)};
}

}  // namespace

op::CreateLogGroup::Response create_group(Call& call, const op::CreateLogGroup::Request& request) {
  sim::logs::Group group{.tags = request.tags, .key = request.kms_key_id.value_or("")};
  call.backend.logs.create_group(request.log_group_name.value(), std::move(group));
  return {};
}

op::DeleteLogGroup::Response delete_group(Call& call, const op::DeleteLogGroup::Request& request) {
  call.backend.logs.delete_group(request.log_group_name.value());
  return {};
}

op::DescribeLogGroups::Response describe_groups(Call& call,
                                                const op::DescribeLogGroups::Request& request) {
  if (request.log_group_name_prefix && request.log_group_name_pattern)
    throw ApiError("InvalidParameterException",
                   "LogGroup name prefix and LogGroup name pattern are mutually exclusive "
                   "parameters.");
  const std::string prefix = request.log_group_name_prefix.value_or("");
  const std::string part = base::lower_case(request.log_group_name_pattern.value_or(""));
  const auto& groups = call.backend.logs.groups();
  const auto begin = request.next_token
                         ? groups.upper_bound(std::max(prefix, name_of_token(*request.next_token)))
                         : groups.lower_bound(prefix);
  op::DescribeLogGroups::Response response;
  response.log_groups.give();
  const auto most = static_cast<std::size_t>(request.limit.value_or(kMostGroups));
  for (auto it = begin; it != groups.end() && it->first.starts_with(prefix); ++it) {
    if (base::lower_case(it->first).find(part) == std::string::npos) continue;
    if (response.log_groups.size() == most) {
      response.next_token = token_after(response.log_groups.back().log_group_name.value());
      break;
    }
    response.log_groups.push_back(shown(call, it->first, it->second));
  }
  return response;
}

op::PutRetentionPolicy::Response put_retention(Call& call,
                                               const op::PutRetentionPolicy::Request& request) {
  const std::int64_t days = request.retention_in_days.value();
  if (!kRetentions.contains(days))
    throw ApiError("InvalidParameterException",
                   "1 validation error detected: Value '" + std::to_string(days) +
                       "' at 'retentionInDays' failed to satisfy constraint: Member must be one of "
                       "the days that a retention can have");
  call.backend.logs.set_retention(request.log_group_name.value(), static_cast<int>(days));
  return {};
}

op::DeleteRetentionPolicy::Response delete_retention(
    Call& call, const op::DeleteRetentionPolicy::Request& request) {
  call.backend.logs.set_retention(request.log_group_name.value(), {});
  return {};
}

}  // namespace fakes::logs
