// Parameters without their values, and the versions of a parameter.
#include "base/text/base64.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/index_token.h"
#include "fakes/ssm/actions.h"
#include "fakes/ssm/filters.h"

namespace fakes::ssm {
namespace {

constexpr std::int64_t kDescribed = 10, kVersionsShown = 50;  // on a page, by default

// The filters of both forms. The older form compares with whole values.
Filters filters_in(const op::DescribeParameters::Request& request) {
  if (!request.filters.empty() && !request.parameter_filters.empty())
    throw ApiError("ValidationException",
                   "You can use either Filters or ParameterFilters in a single request.");
  Filters filters = request.parameter_filters;
  for (const auto& older : request.filters)
    filters.push_back({.key = older.key, .option = "Equals", .values = older.values});
  return filters;
}

// Fills the members that ParameterMetadata and ParameterHistory share, and the ARN, which newer
// models have.
template <class Shown>
Shown shown(const Call& call, const std::string& name, const ParameterVersion& version) {
  Shown shown;
  if constexpr (requires { shown.arn; }) shown.arn = arn_of(call.backend, name);
  shown.name = name;
  shown.type = version.type;
  shown.last_modified_date = timestamp(version.modified);
  shown.version = version.number;
  shown.tier = version.tier;
  shown.policies.give();
  for (const ParameterPolicy& policy : version.policies)
    shown.policies.push_back({.policy_status = policy.finished ? "Finished" : "Pending",
                              .policy_text = policy.text,
                              .policy_type = policy.type});
  shown.data_type = version.data_type;
  if (!version.key_id.empty()) shown.key_id = version.key_id;
  if (!version.modified_by.empty()) shown.last_modified_user = version.modified_by;
  if (!version.description.empty()) shown.description = version.description;
  if (!version.allowed_pattern.empty()) shown.allowed_pattern = version.allowed_pattern;
  return shown;
}

op::DescribeParameters::Response describe_parameters(
    Call& call, const op::DescribeParameters::Request& request) {
  const Filters filters = filters_in(request);
  check_filters(filters, FiltersOf::kDescribe);
  const auto most = static_cast<std::size_t>(request.max_results.value_or(kDescribed));
  const auto& all = call.backend.parameters.all();
  op::DescribeParameters::Response response;
  response.parameters.give();
  for (auto it = all.upper_bound(last_shown(request.next_token)); it != all.end(); ++it) {
    const auto& [name, parameter] = *it;
    if (!fits(parameter, parameter.newest(), filters)) continue;
    if (response.parameters.size() == most) {
      response.next_token = base::base64_encode(response.parameters.back().name.value());
      break;
    }
    response.parameters.push_back(
        shown<api::ssm::ParameterMetadata>(call, name, parameter.newest()));
  }
  return response;
}

// Oldest first. The name may be an ARN, but without a version or label.
op::GetParameterHistory::Response get_parameter_history(
    Call& call, const op::GetParameterHistory::Request& request) {
  const ec2::NamedParameter named = ec2::named_parameter(call.backend, request.name.value());
  const StoredParameter& parameter = call.backend.parameters.parameter(named.name + named.selector);
  const auto most = static_cast<std::size_t>(request.max_results.value_or(kVersionsShown));
  constexpr std::string_view kToken = "history:";
  const auto from = request.next_token ? index_in_token(kToken, *request.next_token)
                                       : std::optional<std::size_t>(0);
  if (!from) throw ApiError("InvalidNextToken", "The specified token is not valid.");
  op::GetParameterHistory::Response response;
  response.parameters.give();
  for (auto it = parameter.versions.lower_bound(static_cast<std::int64_t>(*from));
       it != parameter.versions.end(); ++it) {
    if (response.parameters.size() == most) {
      response.next_token = index_token(kToken, static_cast<std::size_t>(it->first));
      break;
    }
    auto version = shown<api::ssm::ParameterHistory>(call, parameter.name, it->second);
    version.value =
        shown_value(parameter.name, it->second, request.with_decryption.value_or(false));
    version.labels.give();
    for (const std::string& label : it->second.labels) version.labels.push_back(label);
    response.parameters.push_back(std::move(version));
  }
  return response;
}

}  // namespace

std::vector<ActionRow> describe_actions() {
  return {action<op::DescribeParameters, describe_parameters>(),
          action<op::GetParameterHistory, get_parameter_history>()};
}

}  // namespace fakes::ssm
