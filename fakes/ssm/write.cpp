// PutParameter, and what deletes parameters.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "fakes/callers.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ssm/actions.h"
#include "fakes/ssm/names.h"

namespace fakes::ssm {
namespace {

using PutRequest = op::PutParameter::Request;

constexpr std::size_t kLongestValue = 4096, kLongestAdvancedValue = 8192;
constexpr std::string_view kSecret = "SecureString";
constexpr std::string_view kImage = "aws:ec2:image";
constexpr std::string_view kDataTypes[] = {"text", kImage, "aws:ssm:integration"};

[[noreturn]] void refuse_request(const std::string& message) {
  throw ApiError("ValidationException", message);
}

void check_request(const PutRequest& request, const StoredParameter* before) {
  const bool overwrite = request.overwrite.value_or(false);
  if (overwrite && !request.tags.empty())
    refuse_request(
        "Invalid request: tags and overwrite can't be used together. To create a parameter with "
        "tags, please remove overwrite flag. To update tags for an existing parameter, please use "
        "AddTagsToResource or RemoveTagsFromResource.");
  if (before != nullptr && !overwrite)
    throw ApiError("ParameterAlreadyExists",
                   "The parameter already exists. To overwrite this value, set the overwrite "
                   "option in the request to true.");
  // The API reference forbids this change of a type. Terraform's tests of AWS change others.
  if (before != nullptr && before->newest().type != kSecret && request.type == kSecret)
    throw ApiError("HierarchyTypeMismatchException",
                   "Parameter Store doesn't support changing a parameter type in a hierarchy. For "
                   "example, you can't change a parameter from a String type to a SecureString "
                   "type. You must create a new, unique parameter.");
  if (before == nullptr && !request.type)
    refuse_request("A parameter type is required when you create a parameter.");
  if (request.data_type &&
      std::ranges::find(kDataTypes, *request.data_type) == std::end(kDataTypes))
    refuse_request("The following data type is not supported: " + *request.data_type +
                   " (Data type names are all lowercase.)");
}

// The tier of the next version. An account's default tier is Standard here.
std::string tier_for(const ParameterStore& store, const PutRequest& request,
                     const StoredParameter* before) {
  const bool is_advanced = before != nullptr && before->newest().tier == kAdvanced;
  const std::string asked = request.tier.value_or(std::string(is_advanced ? kAdvanced : kStandard));
  if (is_advanced && asked == kStandard)
    refuse_request(
        "This parameter uses the advanced-parameter tier. You can't downgrade a parameter from the "
        "advanced-parameter tier to the standard-parameter tier. If necessary, you can delete the "
        "advanced parameter and recreate it as a standard parameter. For more information, see "
        "https://docs.aws.amazon.com/systems-manager/latest/userguide/"
        "parameter-store-advanced-parameters.html");
  if (asked != "Intelligent-Tiering") return asked;
  const bool needs_advanced = is_advanced || request.value->size() > kLongestValue ||
                              !read_policies(request.policies.value_or("")).empty() ||
                              store.all().size() >= kMostStandardParameters;
  return std::string(needs_advanced ? kAdvanced : kStandard);
}

void check_value(const PutRequest& request, std::string_view tier) {
  const std::string& value = request.value.value();
  if (value.empty())
    refuse_request(
        "1 validation error detected: Value '' at 'value' failed to satisfy constraint: Member "
        "must have length greater than or equal to 1.");
  if (value.size() > kLongestAdvancedValue && tier == kAdvanced)
    refuse_request(
        "Advanced tier parameters support a maximum parameter value of 8192 characters.");
  if (value.size() > kLongestValue && tier == kStandard)
    refuse_request(
        "Standard tier parameters support a maximum parameter value of 4096 characters. To create "
        "a larger parameter value, upgrade the parameter to use the advanced-parameter tier. For "
        "more information, see https://docs.aws.amazon.com/systems-manager/latest/userguide/"
        "parameter-store-advanced-parameters.html");
}

// AWS's patterns are Java's. RE2 reads the same ones, except back references and lookarounds.
void check_pattern(const std::string& value, const std::string& allowed) {
  if (allowed.empty()) return;
  re2::RE2::Options options;
  options.set_log_errors(false);
  const re2::RE2 pattern(allowed, options);
  if (!pattern.ok())
    throw ApiError(
        "InvalidAllowedPatternException",
        "The request does not meet the regular expression requirement: " + pattern.error());
  if (!re2::RE2::FullMatch(value, pattern))
    throw ApiError("ParameterPatternMismatchException",
                   "Parameter value, cannot be validated against allowedPattern: " + allowed);
}

// The next version: a request that overwrites keeps what it does not name.
ParameterVersion next_version(const Call& call, const PutRequest& request,
                              const StoredParameter* before, const std::string& tier) {
  ParameterVersion next = before != nullptr ? before->newest() : ParameterVersion{};
  next.labels.clear();
  next.value = request.value.value();
  next.type = request.type.value_or(next.type);
  next.data_type = request.data_type.value_or(next.data_type);
  next.description = request.description.value_or(next.description);
  next.allowed_pattern = request.allowed_pattern.value_or(next.allowed_pattern);
  if (next.key_id.empty()) next.key_id = kDefaultKey;
  next.key_id = next.type == kSecret ? request.key_id.value_or(next.key_id) : "";
  next.modified_by = caller_of(call).arn;
  next.modified = call.now;
  next.tier = tier;
  for (ParameterPolicy& policy : next.policies)
    if (policy.type == "NoChangeNotification") policy.finished = false;
  if (request.policies) next.policies = read_policies(*request.policies);
  if (tier == kStandard && !next.policies.empty())
    refuse_request(
        "Standard tier parameters can't have policies. To use policies, upgrade the parameter to "
        "the advanced-parameter tier.");
  return next;
}

// An image is checked after the response. If it does not exist, the parameter is not written, and
// no response says so (Systems Manager User Guide, "Native parameter support for Amazon Machine
// Image IDs").
bool is_written(const Call& call, const ParameterVersion& version) {
  return version.data_type != kImage || ec2::is_image(call.backend, version.value);
}

op::PutParameter::Response put_parameter(Call& call, const PutRequest& request) {
  ParameterStore& store = call.backend.parameters;
  const std::string& name = request.name.value();
  check_new_name(name);
  const StoredParameter* const before = store.find(name);
  check_request(request, before);
  const std::string tier = tier_for(store, request, before);
  check_value(request, tier);
  ParameterVersion next = next_version(call, request, before, tier);
  check_pattern(next.value, next.allowed_pattern);
  std::map<std::string, std::string> tags;
  for (const auto& tag : request.tags) tags[tag.key.value()] = tag.value.value();
  check_number_of_tags(tags.size());
  const char* const operation = before != nullptr ? "Update" : "Create";
  if (!is_written(call, next)) {
    report_change(call.backend, name, next, operation, "Unable to Describe Resource");
    return {.tier = tier, .version = before != nullptr ? before->newest().number + 1 : 1};
  }
  const std::int64_t number = store.put(name, std::move(next));
  store.tag(name, tags);
  report_change(call.backend, name, store.parameter(name).newest(), operation);
  schedule_policies(call.backend, name);
  return {.tier = tier, .version = number};
}

// False if there is none.
bool erase(Call& call, const std::string& name) {
  const StoredParameter* const found = call.backend.parameters.find(name);
  if (found == nullptr) return false;
  report_change(call.backend, name, found->newest(), "Delete");
  return call.backend.parameters.erase(name);
}

op::DeleteParameter::Response delete_parameter(Call& call,
                                               const op::DeleteParameter::Request& request) {
  if (!erase(call, request.name.value())) throw ApiError("ParameterNotFound", "");
  return {};
}

op::DeleteParameters::Response delete_parameters(Call& call,
                                                 const op::DeleteParameters::Request& request) {
  op::DeleteParameters::Response response;
  response.deleted_parameters.give();
  response.invalid_parameters.give();
  for (const std::string& name : request.names)
    (erase(call, name) ? response.deleted_parameters : response.invalid_parameters).push_back(name);
  return response;
}

}  // namespace

std::vector<ActionRow> write_actions() {
  return {action<op::PutParameter, put_parameter>(),
          action<op::DeleteParameter, delete_parameter>(),
          action<op::DeleteParameters, delete_parameters>()};
}

}  // namespace fakes::ssm
